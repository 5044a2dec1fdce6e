#!/usr/bin/env python3
"""Tests the live panels of the book written by `make pages`, in headless Chromium and Firefox.

    check_live.py [DIR] [--only TEXT] [--browser chromium|firefox]     (default: build/pages/html)

For each panel, the test presses the button and moves arms by drag and by keys. It then changes a number and the method,
and cancels a run. The test compares each answer with the answer of the same program built for this machine. In the
planner and on the page of designs, the test fills in, runs, cancels, saves, opens and shares the form. Requests to a
network and errors on the console are faults. In Chromium, pages with an open panel must also pass the checks of
check_pages.py in every view. Requires Go and the Python of `make setup`. A missing browser is skipped with a message.
"""

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import check_pages  # noqa: E402

ROOT = check_pages.ROOT
WAIT = 60  # time limit of a run in seconds, sufficient on a busy machine

# Functions installed in the page: they use the controls of a panel, and wait for its state.
TOOLS = """(() => {
  const body = () => document.querySelector(".purexp-panel-body");
  const pause = ms => new Promise(done => setTimeout(done, ms));
  const reached = async (...states) => {
    for (let i = 0; i < %d; i++) {
      if (states.includes(body().dataset.state)) return body().dataset.state;
      await pause(50);
    }
    return body().dataset.state + ": " + body().textContent.slice(0, 200);
  };
  const key = (arm, name) => {
    const e = body().querySelector(`[data-arm="${arm}"]`);
    e.focus();
    e.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  };
  const set = (label, value) => {
    const control = [...body().querySelectorAll("label")].find(l => l.textContent.startsWith(label)).querySelector("input, select");
    control.value = value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const drag = (arm, dx, dy) => {
    const e = body().querySelector(`[data-arm="${arm}"]`), r = e.getBoundingClientRect(), svg = e.closest("svg");
    const at = (x, y) => ({ bubbles: true, clientX: x, clientY: y, pointerId: 1, isPrimary: true, button: 0 });
    svg.setPointerCapture = () => 0; // a test has no pointer to capture
    e.dispatchEvent(new PointerEvent("pointerdown", at(r.x + 12, r.y + 12)));
    svg.dispatchEvent(new PointerEvent("pointermove", at(r.x + 12 + dx, r.y + 12 + dy)));
    svg.dispatchEvent(new PointerEvent("pointerup", at(r.x + 12 + dx, r.y + 12 + dy)));
  };
  window.purexpTest = { body, pause, reached, key, set, drag };
})()""" % (WAIT * 20)


def main():
    parser = argparse.ArgumentParser(prog="check_live.py", description=__doc__.splitlines()[0])
    parser.add_argument("dir", nargs="?", type=Path, default=ROOT / "build" / "pages" / "html")
    parser.add_argument("--only", default="", metavar="TEXT", help="panels whose name contains TEXT")
    parser.add_argument("--still", action="store_true", help="write docs/planner.svg, the second figure of the planner, and do not test the planner")
    parser.add_argument("--browser", choices=("chromium", "firefox"), help="use only this browser")
    args = parser.parse_args()
    book = args.dir.resolve()
    go = shutil.which("go", path="/usr/local/go/bin") or shutil.which("go")
    if go is None or not (book / "_static" / "live" / "module.js").is_file():
        print("check_live: skipped, because Go is missing or the book was built without Go")
        return 0
    panels = json.loads((ROOT / "book" / "panels.json").read_text(encoding="utf-8"))
    chosen = [(page, p["panel"]) for page, list_ in panels.items() for p in list_ if args.only in p["panel"]]
    chosen += [(page, panel) for page, panel in (("docs/planner", "planner"), ("docs/designs", "designs")) if args.only in panel]
    problems = []
    with tempfile.TemporaryDirectory(prefix="purexp-live-") as folder:
        native = Path(folder, "purexp-live")
        subprocess.run([go, "build", "-o", str(native), "./cmd/purexp-wasm"], cwd=ROOT, check=True)
        subprocess.run([go, "build", "-o", folder, "./cmd/purexp"], cwd=ROOT, check=True)
        for name, programs, opened in (("chromium", ("chromium", "chromium-browser", "google-chrome"), check_pages.Browser),
                                       ("firefox", ("firefox-esr", "firefox"), Firefox)):
            if args.browser not in (None, name):
                continue
            program = next(filter(None, map(shutil.which, programs)), None)
            if program is None:
                print(f"check_live: skipped {name}, which is missing (Debian: apt install {programs[0]})")
                continue
            with opened(program) as browser:
                for page, panel in chosen:
                    began = time.monotonic()
                    try:
                        script = {"planner": use_planner, "designs": use_designs}.get(panel, use)
                        if args.still and panel == "planner":
                            script = write_still
                        found = list(script(browser, (book / page).with_suffix(".html"), native))
                    except (RuntimeError, OSError) as err:
                        found = [str(err)]
                    problems += [f"{name}: {page} ({panel}): {text}" for text in found]
                    print(f"check_live: {name}: {panel}: {time.monotonic() - began:.1f} s", flush=True)
    for problem in problems:
        print(f"check_live: {problem}", file=sys.stderr)
    print(f"check_live: {len(chosen)} panels, {len(problems)} problems")
    return 1 if problems else 0


def use(browser, page, native):
    """Uses a panel as a reader does, and yields the faults."""
    browser.open(page.as_uri(), *check_pages.VIEWS["light"])
    browser.evaluate(TOOLS)
    if browser.evaluate("[...document.scripts].some(s => /_static.(live|panels)./.test(s.src))"):
        yield "loads its program before the button is pressed"

    def step(what, script, expected="done"):
        began = time.monotonic()
        before = browser.evaluate("JSON.stringify((purexpTest.body().live || {}).request || null)")
        state = browser.evaluate(f"(async () => {{ {script}; return purexpTest.reached({json.dumps(expected)}, 'failed'); }})()")
        took = time.monotonic() - began
        if state != expected:
            yield f"{what}: the state is {state}; expected {expected}"
            return
        if expected != "done":
            return
        live = json.loads(browser.evaluate("JSON.stringify({request: purexpTest.body().live.request, answer: purexpTest.body().live.answer, bound: purexpTest.body().live.bound})"))
        if before == json.dumps(live["request"]):
            yield f"{what}: the request has not changed"
        for call, request, answer in (("run", live["request"], live["answer"]),
                                      ("bound", {"instance": live["request"]["instance"], "delta": live["request"]["method"]["delta"]}, live["bound"])):
            done = subprocess.run([str(native), call], input=json.dumps(request), capture_output=True, text=True, check=True)
            want = json.loads(done.stdout).get("answer")
            difference = differs(answer, want)
            if difference:
                yield f"{what}: {call} differs from the native program: {difference}"
        print(f"check_live:   {what}: {live['answer']['pulls']} pulls, bound {live['bound']['name']} {live['bound']['value']}: {took:.1f} s")

    yield from step("the first run", "document.querySelector('.purexp-run').click()")
    yield from step("an arrow key", "purexpTest.key(0, 'ArrowRight')")
    yield from step("a drag", "purexpTest.drag(1, 15, -12)")
    yield from step("another error probability", "purexpTest.set('Error probability', '0.02')")
    yield from step("another method", "const m = purexpTest.body().querySelector('select'); purexpTest.set('Method', m.options[1].value)")
    if browser.evaluate("[...purexpTest.body().querySelectorAll('label')].some(l => l.textContent.startsWith('Least'))"):
        yield from step("another threshold", "purexpTest.set('Method', 'e-cape'); purexpTest.set('Least', '0.3')")
    yield from step("cancel", "purexpTest.set('Error probability', '0.01'); await purexpTest.reached('running'); "
                    "[...purexpTest.body().querySelectorAll('button')].find(b => b.textContent === 'Cancel').click()", "cancelled")
    yield from step("a run after that", "[...purexpTest.body().querySelectorAll('button')].find(b => b.textContent === 'Another run').click()")
    slider = browser.evaluate("(() => { const s = purexpTest.body().querySelector('input[type=range]'); s.value = 1; s.dispatchEvent(new Event('input')); "
                              "return purexpTest.body().querySelector('.live-time').textContent; })()")
    if "measurements" not in slider:
        yield f"the slider shows {slider!r}; expected a number of measurements"
    yield from browser.faults()
    yield from views(browser)


# Functions installed in a page with a form: they use its controls, and record the saved files.
DESK = """(() => {
  const control = (label, nth = 0) => [...purexpTest.body().querySelectorAll("label")].filter(l => l.textContent.startsWith(label))[nth].querySelector("input, select, textarea");
  const set = (label, value, nth = 0) => {
    const e = control(label, nth);
    e.value = value;
    e.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const press = text => [...purexpTest.body().querySelectorAll("button")].find(b => b.textContent === text).click();
  const saved = {};
  const made = new Map(), make = URL.createObjectURL;
  URL.createObjectURL = blob => { const url = make.call(URL, blob); made.set(url, blob); return url; };
  HTMLAnchorElement.prototype.click = function () { made.get(this.href).text().then(text => { saved[this.download] = text; }); };
  const open = async files => {
    const input = purexpTest.body().querySelector("input[type=file]"), list = new DataTransfer();
    for (const [name, text] of Object.entries(files)) list.items.add(new File([text], name));
    input.files = list.files;
    input.dispatchEvent(new Event("change"));
    await purexpTest.pause(1000);
  };
  const says = () => purexpTest.body().querySelector(".live-says").textContent;
  const shared = async () => { press("Share a link"); await purexpTest.pause(700); return purexpTest.body().querySelector("input[readonly]").value; };
  Object.assign(purexpTest, { control, set, press, saved, open, says, shared });
})()"""


def desk(browser, address):
    """Opens a page with a form, presses its button, and yields the faults."""
    browser.open("about:blank", *check_pages.VIEWS["light"])  # changing only the fragment would not reload the page
    browser.open(address, *check_pages.VIEWS["light"])
    browser.evaluate(TOOLS)
    browser.evaluate(DESK)
    if browser.evaluate("[...document.scripts].some(s => /_static.(live|panels)./.test(s.src))"):
        yield "loads its program before the button is pressed"
    state = browser.evaluate("(async () => { document.querySelector('.purexp-run').click(); return purexpTest.reached('ready', 'failed'); })()")
    if state != "ready":
        yield f"the form does not open: {state}: {browser.evaluate('purexpTest.says()')}"


def answered(browser, native, what, script):
    """Runs a script that starts a computation, and compares the answer with the native program's answer."""
    state = browser.evaluate(f"(async () => {{ {script}; return purexpTest.reached('done', 'failed'); }})()")
    if state != "done":
        yield f"{what}: the state is {state}; expected done: {browser.evaluate('purexpTest.says()')}"
        return
    live = json.loads(browser.evaluate("JSON.stringify(purexpTest.body().live, (k, v) => k === 'desk' ? undefined : v)"))
    done = subprocess.run([str(native), live["call"]], input=json.dumps(live["request"]), capture_output=True, text=True, check=True)
    difference = differs(live["answer"], json.loads(done.stdout).get("answer"))
    if difference:
        yield f"{what}: {live['call']} differs from the native program: {difference}"
    print(f"check_live:   {what}: {live['seconds']:.1f} s: {browser.evaluate('purexpTest.says()')[:160]}")


def expect(browser, what, script, wanted):
    """Yields a fault if the result of a script does not contain the wanted text."""
    got = str(browser.evaluate(f"(async () => {{ {script} }})()"))
    if wanted not in got:
        yield f"{what}: {got[:300]!r}; expected a text with {wanted!r}"


STILL = ROOT / "docs" / "planner.svg"
FIGURE = "purexpTest.body().live.answer.figures[1].svg"


def write_still(browser, page, native):
    yield from desk(browser, page.as_uri())
    yield from answered(browser, native, "twelve candidates", "purexpTest.press('Plan')")
    STILL.write_text(browser.evaluate(FIGURE), encoding="utf-8")


def use_planner(browser, page, native):
    yield from desk(browser, page.as_uri())
    yield from answered(browser, native, "twelve candidates", "purexpTest.press('Plan')")
    if STILL.read_text(encoding="utf-8") != browser.evaluate(FIGURE):
        yield "docs/planner.svg differs from the planner's figure of its example; run docker/check_live.py --only planner --still, and look at the figure"
    yield from answered(browser, native, "another tolerance", "purexpTest.set('Tolerance', '2'); await purexpTest.pause(500); purexpTest.press('Plan')")
    yield from expect(browser, "an error of a field", "purexpTest.set('Error probability', '2'); await purexpTest.pause(500); purexpTest.press('Plan'); "
                      "await purexpTest.reached('failed'); return purexpTest.says() + document.activeElement.dataset.field", "question.delta")
    yield from expect(browser, "an error of a cell", "purexpTest.set('Error probability', '0.05'); const t = purexpTest.body().querySelector('textarea'); const old = t.value; "
                      "t.value = old.replace('B01,66', 'B01,sixty'); purexpTest.press('Plan'); await purexpTest.reached('failed'); const s = purexpTest.says(); t.value = old; return s",
                      'candidates.csv:5: column "yield"')
    yield from expect(browser, "cancel", "purexpTest.set('Simulated campaigns', '10000'); purexpTest.press('Plan'); await purexpTest.reached('running'); await purexpTest.pause(300); "
                      "purexpTest.press('Cancel'); return purexpTest.reached('cancelled')", "cancelled")
    yield from expect(browser, "save", "purexpTest.set('Simulated campaigns', '40'); purexpTest.press('Save problem file'); purexpTest.press('Save table'); await purexpTest.pause(700); "
                      "return JSON.stringify(purexpTest.saved)", "tolerance = 2")
    saved = json.loads(browser.evaluate("JSON.stringify(purexpTest.saved)"))
    # A problem file with a constraint, for which the form has no control.
    saved["problem.toml"] = saved["problem.toml"].replace("[laboratory]", "[[constraint]]\nname = 'margin'\nterms = { yield = 1.0, impurity = -2.0 }\nat_least = 10\n\n[laboratory]")
    saved["candidates.csv"] = saved["candidates.csv"].replace("A01,38", "A01,39")
    yield from expect(browser, "open", f"await purexpTest.open({json.dumps(saved)}); return purexpTest.says() + purexpTest.body().querySelector('textarea').value", "A01,39")
    yield from answered(browser, native, "a file that was opened", "purexpTest.press('Plan')")
    yield from expect(browser, "a constraint without a control", "return JSON.stringify(purexpTest.body().live.request)", '"margin"')
    pilot = "catalyst,yield\n" + "".join(f"{c},{v + d}\n" for c, v in (("A", 50), ("B", 60), ("C", 70)) for d in (-2, 0, 2))
    link = browser.evaluate("purexpTest.shared()")
    yield from use_table(browser, native)
    yield from expect(browser, "a pilot", f"await purexpTest.open({json.dumps({'pilot.csv': pilot})}); return purexpTest.says()", "pilot.csv")
    yield from answered(browser, native, "a pilot's rows", "purexpTest.set('Rows of the table', 'pilot'); await purexpTest.pause(700); purexpTest.press('Plan')")
    yield from expect(browser, "a pilot's table", "return JSON.stringify(purexpTest.body().live.answer.plan.candidates)", '["A","B","C"]')
    yield from views(browser)
    yield from browser.faults()
    yield from desk(browser, link)
    yield from expect(browser, "a link", "return purexpTest.says() + purexpTest.body().querySelector('textarea').value + JSON.stringify(purexpTest.body().live.desk.fields())", "A01,39")
    yield from expect(browser, "a link keeps all fields", "return JSON.stringify(purexpTest.body().live.desk.fields())", '"margin"')
    bomb = browser.evaluate("""(async () => {
      const stream = new Blob([" ".repeat(3 << 20)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      let s = "";
      for (const b of new Uint8Array(await new Response(stream).arrayBuffer())) s += String.fromCharCode(b);
      return btoa(s).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""); })()""")
    for what, code, wanted in (("a link that unpacks to 3 MB", bomb, "more than 1048576 bytes (1 MB)"), ("half a link", link.split("=")[1][:60], "damaged")):
        problems = list(desk(browser, f"{page.as_uri()}#plan={code}"))
        if len(problems) != 1 or wanted not in problems[0]:
            yield f"{what}: {problems}; expected one fault with {wanted!r}"
    yield from browser.faults()


def use_table(browser, native):
    """Pastes a table with semicolons and decimal commas, drafts its problem, and yields the faults."""
    mine = "solvent;rate;cost\n" + "".join(f"{n};{r};{c}\n" for n, r, c in (("water", "0,5", 1), ("acetone", "2,7", 3), ("DMF", "4,9", 12), ("DMSO", "7,1", 14)))
    goal = "purexpTest.set('As an objective', 'max', 0); "
    yield from expect(browser, "a table that is pasted", f"const t = purexpTest.body().querySelector('textarea'); t.value = {json.dumps(mine)}; t.dispatchEvent(new Event('change')); "
                      "await purexpTest.pause(700); return [...purexpTest.body().querySelectorAll('legend')].map(e => e.textContent).join()", "rate,cost")
    yield from views(browser)
    yield from expect(browser, "nothing chosen", "purexpTest.press('Draft the problem'); await purexpTest.reached('failed'); return purexpTest.says()", "objective: no column is chosen")
    yield from expect(browser, "an error beside its field", goal + "purexpTest.set('As an objective', 'min', 1); purexpTest.set('Standard deviation', '1', 0); purexpTest.press('Draft the problem'); "
                      "await purexpTest.reached('failed'); const e = document.activeElement; return e.closest('[data-column]').dataset.column + document.getElementById(e.getAttribute('aria-describedby')).textContent",
                      "costdraft: objective[2].noise.sd: ")
    yield from expect(browser, "a draft", "const known = [...purexpTest.body().querySelectorAll('[data-column=cost] input[type=checkbox]')][0]; known.click(); purexpTest.set('Unit', 'mol/h', 0); purexpTest.set('At least', '1'); "
                      "purexpTest.press('Draft the problem'); await purexpTest.pause(1000); return purexpTest.says()", "Drafted: Of 4 candidates")
    yield from answered(browser, native, "the pasted table", "purexpTest.press('Plan')")
    yield from expect(browser, "the draft, saved", "purexpTest.press('Save problem file'); purexpTest.press('Save table'); await purexpTest.pause(700); return JSON.stringify(purexpTest.saved)", "# of one measurement about the mean")
    saved = json.loads(browser.evaluate("JSON.stringify(purexpTest.saved)"))
    with tempfile.TemporaryDirectory(prefix="purexp-draft-") as folder:
        for name, text in saved.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        done = subprocess.run([str(native.with_name("purexp")), "campaign", "new", "problem.toml"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            yield f"a campaign of the draft: {done.stderr}"


def use_designs(browser, page, native):
    yield from desk(browser, page.as_uri())
    yield from answered(browser, native, "G", "purexpTest.press('Compute')")
    yield from answered(browser, native, "XY", "purexpTest.set('Criterion', 'xy'); purexpTest.set('Measurements', '31'); purexpTest.press('Compute')")
    yield from expect(browser, "the worksheet", "purexpTest.press('Save worksheet'); await purexpTest.pause(500); return JSON.stringify(purexpTest.saved)", "\\n31,R")
    yield from answered(browser, native, "transductive", "purexpTest.set('Criterion', 'transductive'); purexpTest.press('Compute')")
    link = browser.evaluate("purexpTest.shared()")
    yield from expect(browser, "a table", f"await purexpTest.open({json.dumps({'t.csv': 'p;u;v' + chr(10) + 'a;1;0' + chr(10) + 'b;0;x' + chr(10)})}); purexpTest.set('Criterion', 'g'); "
                      "const box = [...purexpTest.body().querySelectorAll('label')].find(l => l.textContent === 'v').querySelector('input'); box.click(); "
                      "purexpTest.press('Compute'); await purexpTest.reached('failed'); return purexpTest.says()", 'the table:3: column "v"')
    yield from views(browser)
    yield from browser.faults()
    yield from desk(browser, link)
    yield from expect(browser, "a link", "return purexpTest.control('Criterion').value + purexpTest.control('Measurements').value", "transductive31")
    yield from browser.faults()


def views(browser):
    """Runs the checks of check_pages.py in all views."""
    if isinstance(browser, check_pages.Browser):
        for view, (width, height, scheme) in check_pages.VIEWS.items():
            browser.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
            browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.evaluate("scrollTo(0, 0); new Promise(done => setTimeout(done, 500))")  # waits until the button "Back to top" has disappeared
            yield from (f"({view}) {problem}" for problem in browser.evaluate(check_pages.LOOK))


def differs(got, want, where="answer"):
    """Returns the first difference of two answers, or "". Rounding differences between processors are ignored."""
    if isinstance(want, float) or isinstance(got, float):
        same = isinstance(got, (int, float)) and isinstance(want, (int, float)) and math.isclose(got, want, rel_tol=1e-6, abs_tol=1e-9)
        return "" if same else f"{where}: {got}; expected {want}"
    if where.endswith(".svg"):
        return "" if bool(got) == bool(want) else f"{where}: only one of the two answers has a figure"
    if isinstance(want, dict) and isinstance(got, dict) and want.keys() == got.keys():
        return next(filter(None, (differs(got[k], want[k], f"{where}.{k}") for k in want)), "")
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return next(filter(None, (differs(g, w, f"{where}[{i}]") for i, (g, w) in enumerate(zip(got, want)))), "")
    return "" if got == want else f"{where}: {str(got)[:200]}; expected {str(want)[:200]}"


class Firefox(check_pages.Driver):
    """A headless Firefox, controlled by WebDriver BiDi."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="purexp-firefox-")
        log = Path(self.folder, "log")
        with log.open("w", encoding="utf-8") as out:
            self.process = subprocess.Popen(
                [self.program, "--headless", "--no-remote", "--profile", self.folder, "--remote-debugging-port", "0"], stdout=out, stderr=out)
        end, address = time.monotonic() + 60, None
        while address is None:
            words = log.read_text(encoding="utf-8").split()
            address = next((w for w in words if w.startswith("ws://")), None)
            if time.monotonic() > end or self.process.poll() is not None:
                self.close()
                raise RuntimeError(f"{self.program} did not start within a minute")
            time.sleep(0.1)
        self.connect(address + "/session", suppress_origin=True)
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]
        return self

    def open(self, url, *_):
        self.send("browsingContext.navigate", context=self.context, url=url, wait="complete")
        self.events.clear()

    def evaluate(self, script):
        result = self.send("script.evaluate", expression=script, target={"context": self.context}, awaitPromise=True)
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return result["result"].get("value")

    def faults(self):
        for method, p in self.events:
            if method == "log.entryAdded" and p["level"] == "error":
                yield f"the page logs an error: {str(p['text'])[:300]}"
            elif method == "network.beforeRequestSent":
                url = p["request"]["url"]
                if not url.startswith(("file:", "data:", "blob:", "about:")):
                    yield f"the page requests {url} from a network"


if __name__ == "__main__":
    sys.exit(main())
