#!/usr/bin/env python3
"""Checks the pages of the book written by `make pages` or `make notebooks`.

    check_pages.py [DIR] [--quick] [--only TEXT] [--screenshots DIR]     (default: build/pages/html)

In the files, the program checks that the targets of links exist and that pictures have alternative texts. Pages must not
load anything from a network. With --quick, the program checks only the files.

Otherwise, headless Chromium opens every page from disk, in light and dark colours and at a width of 390 CSS pixels. The
faults are:

- requests to a network, errors on the console, and pictures that fail to load
- horizontal scrolling, and a contrast below WCAG 2 AA (4.5, or 3 for large text)
- serious or critical findings of axe-core
- a search without results

Requires Chromium and the Python of `make setup`. Without Chromium, the program prints a message and checks only the files.
axe-core is downloaded once from npm to .local. If the download fails, the program prints a message and skips axe-core.
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
AXE = ("4.14.1", "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745")  # version, and SHA-256 of npm's archive
VIEWS = {"light": (1280, 900, "light"), "dark": (1280, 900, "dark"), "narrow": (390, 844, "light"), "narrow-dark": (390, 844, "dark")}


def main():
    parser = argparse.ArgumentParser(prog="check_pages.py", description=__doc__.splitlines()[0])
    parser.add_argument("dir", nargs="?", type=Path, default=ROOT / "build" / "pages" / "html", help="folder of the book (default: build/pages/html)")
    parser.add_argument("--quick", action="store_true", help="check only the files, without a browser")
    parser.add_argument("--only", default="", metavar="TEXT", help="check only pages whose path contains TEXT")
    parser.add_argument("--screenshots", type=Path, metavar="DIR", help="save a screenshot of each page in each view (the first 6000 pixels)")
    args = parser.parse_args()
    book = args.dir.resolve()
    paths = sorted(p for p in book.rglob("*.html") if "_static" not in p.relative_to(book).parts)
    if not paths:
        sys.exit(f"check_pages: {book}: the folder contains no pages; run `make pages` first")
    pages = {path: Page(path) for path in paths}
    chosen = [path for path in paths if args.only in path.as_posix()]
    problems = [problem for path in chosen for problem in check_file(path, pages, book)]
    problems += check_titles(pages, book)
    if not args.quick:
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if chromium is None:
            print("check_pages: Chromium is missing, so only the files were checked (Debian: apt install chromium)")
        else:
            axe = axe_script()
            with Browser(chromium) as browser:
                for i, path in enumerate(chosen, 1):
                    print(f"check_pages: [{i}/{len(chosen)}] {path.relative_to(book)}", flush=True)
                    problems += check_page(browser, path, book, args.screenshots, axe)
                problems += check_search(browser, book)
            if axe:
                counts = ", ".join(f"{AXE_FOUND[impact]} {impact}" for impact in ("critical", "serious", "moderate", "minor"))
                print(f"check_pages: findings of axe-core {AXE[0]} over all pages and views: {counts}")
    for problem in problems:
        print(f"check_pages: {problem}", file=sys.stderr)
    print(f"check_pages: {len(chosen)} pages, {len(problems)} problems")
    return 1 if problems else 0


# --- files ----------------------------------------------------------------------------------------------------------


class Page(html.parser.HTMLParser):
    """The links, loaded files, ids, title and language of a page."""

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
        yield f"{name}: the page declares no language; add lang to its html element"
    if not page.h1:
        yield f"{name}: the page has no heading of the first level"
    if name.parts[0] == "notebooks":  # the page must link to its notebook on Binder, and to no other notebook there
        want = BINDER + urllib.parse.quote(name.with_suffix(".ipynb").as_posix())
        if [url for url in dict.fromkeys(page.links) if url.startswith("https://mybinder.org/v2/")] != [want]:
            yield f"{name}: expected {want} as the only link to Binder"
    for url in dict.fromkeys([*page.links, *page.loads]):
        if re.match(r"[a-z]+:|//", url):
            continue  # links to other sites are not checked
        where, _, fragment = url.partition("#")
        target = (path.parent / urllib.parse.unquote(where.partition("?")[0])).resolve() if where else path
        if target.is_dir():
            target /= "index.html"
        if book not in target.parents or not target.is_file():
            yield f"{name}: the target of the link {url} does not exist"
        elif fragment and target in pages and urllib.parse.unquote(fragment) not in pages[target].ids:
            yield f"{name}: the target page of the link {url} has no such anchor"


def check_titles(pages, book):
    """Yields a fault for each page whose title is the title of another page."""
    known = {}
    for path, page in pages.items():
        name, title = path.relative_to(book), " ".join(page.title.split())
        if title in known:
            yield f"{name}: has the title of {known[title]}: {title}; choose a different title"
        known.setdefault(title, name)


# --- browser --------------------------------------------------------------------------------------------------------


class Driver:
    """A headless browser that is controlled through a web socket.

    Each command has a number, which its answer repeats. Messages without a number are events.
    """

    def __init__(self, program):
        try:
            import websocket
        except ImportError as err:
            sys.exit(f"check_pages: {err} in {sys.executable}; run `make setup`, then `make pages-check`, which uses the right Python")
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
    """A headless Chromium, controlled by the DevTools protocol."""

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
                sys.exit(f"check_pages: {self.program} did not start within a minute")
            time.sleep(0.1)
        number, path = port.read_text().splitlines()[:2]
        self.connect(f"ws://127.0.0.1:{number}{path}")
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.send(domain + ".enable")
        return self

    def open(self, url, width, height, scheme):
        """Opens a page, and waits until the page and its formulas are complete."""
        self.events.clear()
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.send("Page.navigate", url=url)
        end = time.monotonic() + 60
        while not any(method == "Page.loadEventFired" for method, _ in self.events):
            if time.monotonic() > end:
                raise RuntimeError(f"{url} did not load within a minute")
            self.evaluate("new Promise(done => setTimeout(done, 20))")
        self.evaluate("window.MathJax && MathJax.startup ? MathJax.startup.promise.then(() => 0) : 0")

    def evaluate(self, script):
        result = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "the script failed without a description"))
        return result["result"].get("value")

    def faults(self):
        """Yields the faults that occurred since the page was opened."""
        addresses = {}
        for method, p in self.events:
            if method == "Network.requestWillBeSent":
                addresses[p["requestId"]] = p["request"]["url"]
                if not re.match(r"file:|data:|blob:|about:", p["request"]["url"]):
                    yield f"the page requests {p['request']['url']} from a network"
            elif method == "Network.loadingFailed" and not p.get("canceled"):
                yield f"the page could not load {addresses.get(p['requestId'], '?')[:200]}: {p['errorText']}"
            elif method == "Runtime.exceptionThrown":
                details = p["exceptionDetails"]
                yield "the page throws " + details.get("exception", {}).get("description", details["text"])[:300]
            elif method == "Log.entryAdded" and p["entry"]["level"] == "error":
                yield f"the page logs an error: {p['entry']['text'][:200]} {p['entry'].get('url', '')[:200]}"
            elif method == "Runtime.consoleAPICalled" and p["type"] == "error":
                yield "the page writes an error to the console: " + " ".join(str(a.get("value", a.get("description", ""))) for a in p["args"])[:300]


LOOK = r"""
(() => {
  const found = [];
  const still = document.createElement("style"); // disables transitions, so that colours are final
  still.textContent = "*, *::before, *::after { transition: none !important; animation: none !important; }";
  document.head.append(still);
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth + 1) {
    const inside = e => { for (let p = e.parentElement; p; p = p.parentElement) {
      if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(p).overflowX) && p !== document.body && p !== root) return true; } return false; };
    const wide = [...document.body.querySelectorAll("*")].find(e => e.getBoundingClientRect().right > innerWidth + 1 && !inside(e));
    found.push(`the page is ${root.scrollWidth} pixels wide; expected at most ${innerWidth}` + (wide ? `: <${wide.tagName.toLowerCase()} class="${wide.className}">` : ""));
  }
  for (const img of document.images) {
    if (img.complete && img.naturalWidth === 0 && img.loading !== "lazy") found.push(`the page does not show the picture ${img.src.slice(0, 120)}`);
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
      if (s.backgroundImage !== "none") return null; // the contrast with a picture is not computed
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
      found.push(`the page has text with a contrast of ${ratio.toFixed(2)}; expected at least ${least}: <${e.tagName.toLowerCase()} class="${e.className}"> ${JSON.stringify(node.data.trim().slice(0, 40))}`);
    }
  }
  return found;
})()
"""


# The number of elements that axe-core reported, by impact.
AXE_FOUND = collections.Counter()

# Runs axe-core, and returns for each violation its impact, rule, description, number of elements, and three elements.
AXE_RUN = """(async () => {
  if (!document.getElementById("axe-still")) { // disables transitions
    const still = document.createElement("style");
    still.id = "axe-still";
    still.textContent = "*, *::before, *::after { transition: none !important; animation: none !important; }";
    document.head.append(still);
  }
  const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false, elementRef: false });
  return violations.map(v => [v.impact, v.id, v.help, v.nodes.length, v.nodes.slice(0, 3).map(n => n.target.join(" ") + " " + n.html.slice(0, 120))]);
})()"""


def axe_script():
    """Returns the source of axe-core, which is downloaded from npm the first time, or "" if the download fails."""
    version, digest = AXE
    folder = ROOT / ".local"
    archive = folder / f"axe-core-{version}.tgz"
    if not archive.is_file():
        folder.mkdir(exist_ok=True)
        try:
            subprocess.run(["npm", "pack", "--silent", f"axe-core@{version}"], cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=300)
        except (OSError, subprocess.SubprocessError) as err:
            print(f"check_pages: skipped axe-core {version}, which could not be downloaded from npm: {err}")
            return ""
    if hashlib.sha256(archive.read_bytes()).hexdigest() != digest:
        sys.exit(f"check_pages: {archive}: the SHA-256 hash differs from that of axe-core {version}; delete the file and run again")
    with tarfile.open(archive) as files:
        return files.extractfile("package/axe.min.js").read().decode()


def check_axe(browser, axe):
    """Yields the serious and critical findings of axe-core on the open page."""
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
    """Checks that the search of a book opened from disk finds the word Pareto, which several pages contain."""
    if not (book / "search.html").is_file():
        return []  # the folder contains single pages
    browser.open((book / "search.html").as_uri() + "?q=pareto", *VIEWS["light"])
    count, end = 0, time.monotonic() + 20
    while not count and time.monotonic() < end:
        count = browser.evaluate("new Promise(done => setTimeout(() => done(document.querySelectorAll('#search-results li').length), 200))")
    return [f"search.html?q=pareto: {p}" for p in [*([] if count else ["no results; expected several pages"]), *browser.faults()]]


if __name__ == "__main__":
    sys.exit(main())
