#!/usr/bin/env python3
"""Checks the book: what `make pages` or `make notebooks` wrote.

    check_pages.py [DIR] [--quick] [--only TEXT] [--screenshots DIR]     (default: build/pages/html)

In the files: links and pictures lead somewhere, nothing is loaded from a network, pictures have an alternative text.
With --quick that is all. Otherwise headless Chromium opens every page from its folder, in light and dark colours and
390 points wide: no request leaves, no error on the console, no picture that is not shown, nothing to scroll sideways,
text has the contrast of WCAG 2 AA (4.5, and 3 for large text), axe-core finds nothing serious or critical, and the search
finds something. Needs Chromium and the Python that `make setup` made; where there is no Chromium, it says so and checks the
files only. axe-core comes from npm, once, to .local; where it cannot be had, that is said, and the rest is checked.
"""

import argparse
import base64
import collections
import hashlib
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.parse
from pathlib import Path

from book import BINDER

ROOT = Path(__file__).resolve().parent.parent
AXE = ("4.14.1", "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745")  # of npm's archive
VIEWS = {"light": (1280, 900, "light"), "dark": (1280, 900, "dark"), "narrow": (390, 844, "light"), "narrow-dark": (390, 844, "dark")}


def main():
    parser = argparse.ArgumentParser(prog="check_pages.py", description=__doc__.splitlines()[0])
    parser.add_argument("dir", nargs="?", type=Path, default=ROOT / "build" / "pages" / "html", help="the book (default: build/pages/html)")
    parser.add_argument("--quick", action="store_true", help="look at the files only, without a browser")
    parser.add_argument("--only", default="", metavar="TEXT", help="pages whose path contains TEXT")
    parser.add_argument("--screenshots", type=Path, metavar="DIR", help="keep a picture of each page in each view (the first 6000 points)")
    args = parser.parse_args()
    book = args.dir.resolve()
    paths = sorted(p for p in book.rglob("*.html") if "_static" not in p.relative_to(book).parts)
    if not paths:
        sys.exit(f"check_pages: there are no pages in {book}: run `make pages` first")
    pages = {path: Page(path) for path in paths}
    chosen = [path for path in paths if args.only in path.as_posix()]
    problems = [problem for path in chosen for problem in check_file(path, pages, book)]
    problems += check_titles(pages, book)
    if not args.quick:
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if chromium is None:
            print("check_pages: Chromium is missing (Debian: apt install chromium): checked the files only")
        else:
            axe = axe_script()
            with Browser(chromium) as browser:
                for i, path in enumerate(chosen, 1):
                    print(f"check_pages: [{i}/{len(chosen)}] {path.relative_to(book)}", flush=True)
                    problems += check_page(browser, path, book, args.screenshots, axe)
                problems += check_search(browser, book)
            if axe:
                counts = ", ".join(f"{AXE_FOUND[impact]} {impact}" for impact in ("critical", "serious", "moderate", "minor"))
                print(f"check_pages: axe-core {AXE[0]} found, over all pages and views: {counts}")
    for problem in problems:
        print(f"check_pages: {problem}", file=sys.stderr)
    print(f"check_pages: {len(chosen)} pages, {len(problems)} problems")
    return 1 if problems else 0


# --- files ----------------------------------------------------------------------------------------------------------


class Page(html.parser.HTMLParser):
    """What a page refers to, and the places in it that others can refer to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids, self.unnamed, self.h1, self.language = [], [], set(), [], 0, ""
        self.title, self.titling = "", False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids.update(filter(None, (a.get("id"), a.get("name") if tag == "a" else None)))
        if tag == "a" and a.get("href") is not None:
            self.links.append(a["href"])
        elif tag == "link" and not {"search", "next", "prev", "canonical", "index"} & set((a.get("rel") or "").split()):
            self.loads.append(a.get("href") or "")
        elif tag in ("script", "img", "iframe", "source", "video", "audio", "embed") and a.get("src"):
            self.loads.append(a["src"])
        if tag == "img" and not (a.get("alt") or "").strip() and a.get("role") != "presentation":
            self.unnamed.append(a.get("src", ""))
        self.h1 += tag == "h1"
        self.titling = tag == "title" and not self.title
        if tag == "html":
            self.language = a.get("lang") or ""

    def handle_data(self, data):
        if self.titling:
            self.title += data

    def handle_endtag(self, tag):
        self.titling = self.titling and tag != "title"


def check_file(path, pages, book):
    page, name = pages[path], path.relative_to(book)
    for url in page.loads:
        if re.match(r"(https?:)?//", url):
            yield f"{name}: loads {url} from a network"
    for url in page.unnamed:
        yield f"{name}: the picture {url[:80]} has no alternative text"
    if not page.language:
        yield f"{name}: does not say its language"
    if not page.h1:
        yield f"{name}: has no heading of the first level"
    if name.parts[0] == "notebooks":  # its button opens it on Binder, and nothing else
        want = BINDER + urllib.parse.quote(name.with_suffix(".ipynb").as_posix())
        if [url for url in dict.fromkeys(page.links) if url.startswith("https://mybinder.org/v2/")] != [want]:
            yield f"{name}: has no link to {want}, or another one to Binder"
    for url in dict.fromkeys([*page.links, *page.loads]):
        if re.match(r"[a-z]+:|//", url):
            continue  # a link to elsewhere, which a reader may follow
        where, _, fragment = url.partition("#")
        target = (path.parent / urllib.parse.unquote(where.partition("?")[0])).resolve() if where else path
        if target.is_dir():
            target /= "index.html"
        if book not in target.parents or not target.is_file():
            yield f"{name}: the link to {url} leads nowhere"
        elif fragment and target in pages and urllib.parse.unquote(fragment) not in pages[target].ids:
            yield f"{name}: the link to {url} leads to a page without that place"


def check_titles(pages, book):
    """No two pages have one name."""
    known = {}
    for path, page in pages.items():
        name, title = path.relative_to(book), " ".join(page.title.split())
        if title in known:
            yield f"{name}: has the title of {known[title]}: {title}"
        known.setdefault(title, name)


# --- browser --------------------------------------------------------------------------------------------------------


class Driver:
    """A headless browser that is told what to do through a socket: commands have numbers, by which their answers are known, and what
    happens in between are events."""

    def __init__(self, program):
        try:
            import websocket
        except ImportError as err:
            sys.exit(f"check_pages: {err} in {sys.executable}: run `make setup`, then use its Python (`make pages-check` does)")
        self.websocket, self.program = websocket, program
        self.count, self.events, self.session = 0, [], None

    def connect(self, address, **options):
        self.socket = self.websocket.create_connection(address, timeout=120, http_no_proxy=["*"], **options)

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer.get('message') or answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append((answer["method"], answer["params"]))


class Browser(Driver):
    """A headless Chromium, by its DevTools protocol."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="purexp-pages-")
        self.process = subprocess.Popen(
            [self.program, "--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--remote-debugging-port=0",
             "--remote-allow-origins=*", f"--user-data-dir={self.folder}", "--disable-background-networking",
             "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND",
             *(["--no-sandbox"] if os.geteuid() == 0 else []), "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end, port = time.monotonic() + 60, Path(self.folder, "DevToolsActivePort")
        while not port.is_file() or len(port.read_text().splitlines()) < 2:
            if time.monotonic() > end or self.process.poll() is not None:
                self.close()
                sys.exit(f"check_pages: {self.program} did not start")
            time.sleep(0.1)
        number, path = port.read_text().splitlines()[:2]
        self.connect(f"ws://127.0.0.1:{number}{path}")
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.send(domain + ".enable")
        return self

    def open(self, url, width, height, scheme):
        """Shows a page, and waits until it is complete, with its formulas."""
        self.events.clear()
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.send("Page.navigate", url=url)
        end = time.monotonic() + 60
        while not any(method == "Page.loadEventFired" for method, _ in self.events):
            if time.monotonic() > end:
                raise RuntimeError(f"{url} did not load in a minute")
            self.evaluate("new Promise(done => setTimeout(done, 20))")
        self.evaluate("window.MathJax && MathJax.startup ? MathJax.startup.promise.then(() => 0) : 0")

    def evaluate(self, script):
        result = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "an error in a script"))
        return result["result"].get("value")

    def faults(self):
        """What went wrong since the page was opened."""
        addresses = {}
        for method, p in self.events:
            if method == "Network.requestWillBeSent":
                addresses[p["requestId"]] = p["request"]["url"]
                if not re.match(r"file:|data:|blob:|about:", p["request"]["url"]):
                    yield f"asks the network for {p['request']['url']}"
            elif method == "Network.loadingFailed" and not p.get("canceled"):
                yield f"could not load {addresses.get(p['requestId'], '?')[:200]}: {p['errorText']}"
            elif method == "Runtime.exceptionThrown":
                details = p["exceptionDetails"]
                yield "throws " + details.get("exception", {}).get("description", details["text"])[:300]
            elif method == "Log.entryAdded" and p["entry"]["level"] == "error":
                yield f"logs {p['entry']['text'][:200]} {p['entry'].get('url', '')[:200]}"
            elif method == "Runtime.consoleAPICalled" and p["type"] == "error":
                yield "writes an error on the console: " + " ".join(str(a.get("value", a.get("description", ""))) for a in p["args"])[:300]


LOOK = r"""
(() => {
  const found = [];
  const still = document.createElement("style"); // colours as they are after all transitions
  still.textContent = "*, *::before, *::after { transition: none !important; animation: none !important; }";
  document.head.append(still);
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth + 1) {
    const inside = e => { for (let p = e.parentElement; p; p = p.parentElement) {
      if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(p).overflowX) && p !== document.body && p !== root) return true; } return false; };
    const wide = [...document.body.querySelectorAll("*")].find(e => e.getBoundingClientRect().right > innerWidth + 1 && !inside(e));
    found.push(`is ${root.scrollWidth} points wide, of ${innerWidth}` + (wide ? `: <${wide.tagName.toLowerCase()} class="${wide.className}">` : ""));
  }
  for (const img of document.images) {
    if (img.complete && img.naturalWidth === 0 && img.loading !== "lazy") found.push(`does not show ${img.src.slice(0, 120)}`);
  }
  const channel = v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
  const luminance = c => .2126 * channel(c[0]) + .7152 * channel(c[1]) + .0722 * channel(c[2]);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const cache = new Map();
  const rgba = text => {
    if (!cache.has(text)) {
      canvas.canvas.width = canvas.canvas.height = 1;
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const d = canvas.getImageData(0, 0, 1, 1).data;
      cache.set(text, [d[0], d[1], d[2], d[3] / 255]);
    }
    return cache.get(text);
  };
  const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const back = e => {
    const layers = [];
    for (; e; e = e.parentElement) {
      const s = getComputedStyle(e), c = rgba(s.backgroundColor);
      if (s.backgroundImage !== "none") return null; // not computed
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reverse().reduce((b, a) => over(a, b), [255, 255, 255, 1]);
  };
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, e = node.parentElement;
    if (!node.data.trim() || e.closest("script, style, noscript, mjx-container, svg, [aria-hidden=true], :disabled, .headerlink")) continue;
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || !e.getClientRects().length) continue;
    const s = getComputedStyle(e), b = back(e);
    if (!b) continue;
    let opacity = 1;
    for (let p = e; p; p = p.parentElement) opacity *= +getComputedStyle(p).opacity;
    const c = rgba(s.color), f = over([c[0], c[1], c[2], c[3] * opacity], b);
    const [x, y] = [luminance(f), luminance(b)].sort((p, q) => q - p);
    const ratio = (x + .05) / (y + .05), size = parseFloat(s.fontSize);
    const least = size >= 24 || (size >= 18.66 && +s.fontWeight >= 700) ? 3 : 4.5;
    const kind = `${e.tagName.toLowerCase()}.${e.className} ${s.color}`;
    if (ratio < least - .01 && !seen.has(kind)) {
      seen.add(kind);
      found.push(`has text with a contrast of ${ratio.toFixed(2)} instead of ${least}: <${e.tagName.toLowerCase()} class="${e.className}"> ${JSON.stringify(node.data.trim().slice(0, 40))}`);
    }
  }
  return found;
})()
"""


# Elements that axe-core found, by impact.
AXE_FOUND = collections.Counter()

# What is serious or critical, and of the others how many.
AXE_RUN = """(async () => {
  if (!document.getElementById("axe-still")) { // not in the middle of a transition
    const still = document.createElement("style");
    still.id = "axe-still";
    still.textContent = "*, *::before, *::after { transition: none !important; animation: none !important; }";
    document.head.append(still);
  }
  const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false, elementRef: false });
  return violations.map(v => [v.impact, v.id, v.help, v.nodes.length, v.nodes.slice(0, 3).map(n => n.target.join(" ") + " " + n.html.slice(0, 120))]);
})()"""


def axe_script():
    """The text of axe-core, from npm the first time; empty if it cannot be had."""
    version, digest = AXE
    folder = ROOT / ".local"
    archive = folder / f"axe-core-{version}.tgz"
    if not archive.is_file():
        folder.mkdir(exist_ok=True)
        try:
            subprocess.run(["npm", "pack", "--silent", f"axe-core@{version}"], cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=300)
        except (OSError, subprocess.SubprocessError) as err:
            print(f"check_pages: axe-core {version} could not be had from npm, and is left out: {err}")
            return ""
    if hashlib.sha256(archive.read_bytes()).hexdigest() != digest:
        sys.exit(f"check_pages: {archive} is not the axe-core {version} that was written down: remove it, and run again")
    with tarfile.open(archive) as files:
        return files.extractfile("package/axe.min.js").read().decode()


def check_axe(browser, axe):
    """What axe-core says about the page that is open."""
    if not axe:
        return
    if not browser.evaluate("!!window.axe"):
        browser.evaluate(axe + "; 0")
    for impact, rule, text, count, places in browser.evaluate(AXE_RUN):
        AXE_FOUND[impact] += count
        if impact in ("serious", "critical"):
            yield f"axe: {rule} ({impact}, {count} elements): {text}: {' | '.join(places)}"


def check_page(browser, path, book, screenshots, axe=""):
    name = path.relative_to(book)
    for view, (width, height, scheme) in VIEWS.items():
        try:
            browser.open(path.as_uri(), width, height, scheme)
            found = [*browser.evaluate(LOOK), *check_axe(browser, axe), *browser.faults()]
        except RuntimeError as err:
            found = [str(err)]
        for problem in dict.fromkeys(found):
            yield f"{name} ({view}): {problem}"
        if screenshots:
            tall = min(6000, max(height, browser.evaluate("document.scrollingElement.scrollHeight")))
            browser.open(path.as_uri(), width, tall, scheme)
            picture = browser.send("Page.captureScreenshot", format="png")
            target = screenshots / name.with_suffix(f".{view}.png")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(base64.b64decode(picture["data"]))


def check_search(browser, book):
    """The search works from a folder: Pareto is on several pages."""
    if not (book / "search.html").is_file():
        return []  # single pages
    browser.open((book / "search.html").as_uri() + "?q=pareto", *VIEWS["light"])
    count, end = 0, time.monotonic() + 20
    while not count and time.monotonic() < end:
        count = browser.evaluate("new Promise(done => setTimeout(() => done(document.querySelectorAll('#search-results li').length), 200))")
    return [f"search.html?q=pareto: {p}" for p in [*([] if count else ["finds nothing"]), *browser.faults()]]


if __name__ == "__main__":
    sys.exit(main())
