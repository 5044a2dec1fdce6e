package browser_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/web/internal/webtest"
)

// browser opens a tab of Chromium. Errors and policy violations on the console of the page fail the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("skipped: there is no chromium here (Debian: apt-get install chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.NoSandbox, chromedp.WindowSize(1280, 900), chromedp.Flag("lang", "en"),
		chromedp.WSURLReadTimeout(time.Minute))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, leave := chromedp.NewContext(allocator)
	t.Cleanup(leave)
	var mu sync.Mutex
	over := false
	t.Cleanup(func() { mu.Lock(); over = true; mu.Unlock() })
	complain := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			t.Errorf(format, args...)
		}
	}
	err := chromedp.Listen(ctx, func(e any) {
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			complain("the page failed: %+v", e.ExceptionDetails)
		case *cdplog.EventEntryAdded:
			// The test sends an invalid value on purpose, which the server rejects with the status 422.
			if e.Entry.Level == cdplog.EntryLevelError && !strings.Contains(e.Entry.Text, "422") {
				complain("the browser says: %s (%s)", e.Entry.Text, e.Entry.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

// page drives a page.
type page struct {
	t   *testing.T
	ctx context.Context
}

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	within, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(within, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// until waits until an expression is true.
func (p *page) until(expression string) {
	p.t.Helper()
	begun := time.Now()
	for {
		// An error means that another page is loading.
		ok, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if err == nil && ok {
			return
		}
		if time.Since(begun) > 40*time.Second {
			now, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](`document.body.innerText.slice(0, 3000)`))
			p.t.Fatalf("%s: %v, %v; the page says\n%s", expression, ok, err, now)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// prefers sets the preferred colour scheme, light or dark, as system settings do.
func (p *page) prefers(scheme string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if err != nil {
		p.t.Fatal(err)
	}
}

// click clicks an element with JavaScript, which works even if loading figures move the element.
func click(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector(%q).click()`, selector))
}

func (p *page) says(text string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`document.getElementById("message").textContent.includes(%q)`, text))
}

// times matches the times and hashes on the page.
var times = regexp.MustCompile(`\d+/\d+/\d+, \d+:\d+.[AP]M|hash [0-9a-f]{12}`)

// text waits until the history has the last event, and returns the text of the page with its buttons.
func (p *page) text() string {
	p.t.Helper()
	p.until(`events[0]?.event === state.event`)
	text, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`document.querySelector("main").innerText + [...document.querySelectorAll("main [aria-label], tr.dropped, tr.undone")].map((e) =>
		"\n" + (e.ariaLabel ?? e.className + " " + e.firstChild.textContent)).join("")`))
	if err != nil {
		p.t.Fatal(err)
	}
	return golden.Steady(times.ReplaceAllString(text, "TIME")) + "\n"
}

// shot saves a screenshot in the folder PUREXP_SHOTS, for visual inspection.
func (p *page) shot(name string) {
	p.t.Helper()
	dir := os.Getenv("PUREXP_SHOTS")
	if dir == "" {
		return
	}
	time.Sleep(300 * time.Millisecond)
	b, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), b, 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// TestBrowser runs a campaign as people do, on a desktop, in dark mode and on a phone. It requests
// a plate by keyboard, reports results and a failure, uploads a worksheet and changes an axis. It
// also drops and restores an arm, finishes the campaign, and opens the report.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: a browser takes a while")
	}
	p := &page{t, browser(t)}
	c := webtest.Begin(t, "", "")
	url := webtest.Serve(t, c)
	rnd := rand.New(rand.NewPCG(1, 2))

	p.do(chromedp.Navigate(url))
	p.until(`document.querySelector("#live.on") && document.getElementById("plane").alt.startsWith("Nothing")`)
	p.shot("1-begun")

	// Request a plate by keyboard: the first Tab stop is a link that skips the header of the page.
	p.do(chromedp.KeyEvent(kb.Tab))
	p.until(`document.activeElement.className === "skip"`)
	p.do(chromedp.Focus("#as"), chromedp.KeyEvent("robot-1"), chromedp.KeyEvent(kb.Tab))
	p.until(`document.activeElement.id === "count" && document.activeElement.value === "4"`)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.says("Measure 4 candidates")
	p.until(`document.querySelectorAll("#pending tbody tr").length === 4`)

	// The page rejects the value "71,2" and focuses its field. After the correction, the page reports one result and
	// one failure.
	row := func(i int, what string) string {
		return fmt.Sprintf("#pending tbody tr:nth-child(%d) %s", i, what)
	}
	p.do(chromedp.SendKeys(row(1, "[data-objective=yield]"), "71,2"),
		chromedp.SendKeys(row(1, "[data-objective=impurity]"), "8.5"),
		chromedp.SendKeys(row(2, "[data-objective=yield]"), "5"), click(row(2, "[data-failed]")))
	if _, err := c.Tell([]campaign.Result{{ID: "early", Arm: "A01", Values: []float64{60, 8}}}, "robot-2"); err != nil {
		t.Fatal(err)
	}
	p.until(`byId("numbers").querySelector("dd").textContent === "1"`) // the page keeps what the user has typed
	p.do(click("#tell-button"))
	p.says("71.2")
	p.until(`document.querySelector("[data-objective=yield][aria-invalid=true]") === document.activeElement`)
	p.do(chromedp.SetValue(row(1, "[data-objective=yield]"), "71.2"), click("#tell-button"))
	p.says("1 result used, 1 failed")
	p.until(`document.querySelectorAll("#pending tbody tr").length === 2`)
	read := "== after the first results\n" + p.text()

	// Upload a completed worksheet twice.
	pending, err := c.Tickets(campaign.Pending)
	if err != nil || len(pending) != 2 {
		t.Fatal(pending, err)
	}
	sheet := "ticket;yield;impurity;note\r\n"
	for _, x := range pending {
		sheet += fmt.Sprintf("%d.0;%v;%v;ok\r\n", x.Ticket, webtest.Truth[x.Arm][0], webtest.Truth[x.Arm][1])
	}
	file := filepath.Join(t.TempDir(), "results.csv")
	if err := os.WriteFile(file, []byte(sheet), 0o666); err != nil {
		t.Fatal(err)
	}
	upload := func() {
		p.do(chromedp.SetUploadFiles("#file", []string{file}), click("#upload button"))
	}
	upload()
	p.says("results.csv: 2 results used")
	upload()
	p.says("results.csv: 0 results used, 2 reported before")
	p.until(`document.getElementById("asked").textContent === "Nothing is pending."`)

	// Report an unsolicited result.
	p.do(click("#extra-button"), chromedp.WaitVisible("#dialog"),
		chromedp.SetValue("#dialog select", "A06"),
		chromedp.SendKeys("#dialog [name=id]", "book 7, page 12"),
		chromedp.SendKeys("#dialog [name=value0]", "74.5 %"),
		chromedp.SendKeys("#dialog [name=value1]", "9.1"), click("#dialog-yes"))
	p.says("1 result used")

	// The axes of the figure can be changed.
	p.until(`document.getElementById("plane").src.startsWith("data:image/svg+xml")`)
	p.do(chromedp.SetValue("#axis-x", "2"),
		chromedp.Evaluate[chromedp.Void](`document.getElementById("axis-x").dispatchEvent(new Event("change"))`))
	p.until(`document.getElementById("plane").dataset.axes === "2,1" &&
		document.getElementById("plane").alt.includes("cost")`)

	// An arm is dropped and restored.
	p.do(click(`[data-drop="A04"]`), chromedp.WaitVisible("#dialog"),
		chromedp.SendKeys("#dialog [name=why]", "sold out"), click("#dialog-yes"))
	p.says("A04 was dropped")
	p.until(`document.querySelector("#arms tr.dropped td.name").textContent === "A04"`)
	p.until(`document.querySelector("#events tbody tr td:nth-child(4)").textContent.includes("sold out")`)
	p.shot("2-dropped")
	read += "== after a candidate was dropped\n" + p.text()
	p.do(click(`#events tbody tr:first-child [data-undo]`), chromedp.WaitVisible("#dialog"),
		chromedp.SendKeys("#dialog [name=why]", "found some"), click("#dialog-yes"))
	p.says("undone")
	p.until(`document.querySelectorAll("#arms tr.dropped").length === 0`)

	// The forecast states how many measurements are left.
	p.do(click("#forecast-button"))
	p.until(`document.getElementById("forecast").textContent.includes("measurements")`)

	p.do(chromedp.SendKeys("#sign [name=name]", "Ada"), chromedp.SendKeys("#sign [name=role]", "chemist"), click("#seen"), click("#sign-button"))
	p.says("Ada has signed.")
	p.until(`!byId("seen").checked`)
	read += "== after the signature\n" + p.text()

	// Another program continues the campaign; the page follows.
	now, err := c.Status()
	if err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`window.shown = null;
		new MutationObserver(() => {
			if (byId("numbers").querySelector("dd").textContent === "%d") window.shown ??= Date.now();
		}).observe(byId("numbers"), {childList: true, subtree: true})`, now.Used+1)))
	extra := []campaign.Result{{ID: "timed", Arm: "A01", Values: []float64{62, 8}}}
	told := time.Now()
	if _, err := c.Tell(extra, "robot-2"); err != nil {
		t.Fatal(err)
	}
	p.until(`window.shown !== null`)
	shown, err := chromedp.Run(p.ctx, chromedp.Evaluate[float64](`window.shown`))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a tell is on the page after %.0f ms", shown-float64(told.UnixMicro())/1000)

	webtest.Finish(t, c, rnd)
	p.until(`document.querySelector("#headline.done") && document.title.startsWith("✓")`)
	p.until(`document.getElementById("plane").alt.includes("A02")`)
	p.until(`document.getElementById("forecast").textContent.startsWith("Nothing")`)
	p.shot("3-finished")
	read += "== finished\n" + p.text()
	golden.Check(t, "pages.txt", read)

	p.prefers("dark")
	p.until(`getComputedStyle(document.body).backgroundColor === "rgb(20, 24, 26)"`)
	p.shot("4-dark")

	// On a phone, nothing is wider than the screen, except tables, which scroll in their own frames.
	fits := `document.documentElement.scrollWidth <= 390 && window.innerWidth === 390`
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile))
	p.until(fits)
	p.shot("5-dark-phone")
	p.prefers("light")
	p.do(chromedp.Navigate(url))
	p.until(`document.querySelector("#headline.done") && document.getElementById("effort").src.includes("330pt")`)
	p.until(fits)
	p.shot("6-phone")

	p.do(click("#report"))
	p.until(`document.querySelector("h1").textContent === "Coupling" &&
		[...document.querySelectorAll("h2")].some((h) => h.textContent === "What the guarantee covers")`)
	p.until(fits)
	p.until(`[...document.images].every((i) => i.complete && i.naturalWidth > 0 && i.alt !== "")`)
	p.shot("7-report-phone")
	p.do(chromedp.EmulateViewport(1280, 900))
	p.shot("8-report")
	p.until(`document.querySelector("b") === null`) // HTML in the name of an arm is escaped
	// The report has no external dependencies.
	resp, err := http.Get(url + "/report?download=1")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(resp.Header.Get("Content-Disposition"), "report.html") {
		t.Error(err, resp.Header)
	}
	for _, outside := range []string{"src=\"http", "src=\"/", "href=\"", "<script", "url("} {
		if strings.Contains(string(b), outside) {
			t.Errorf("the report has %s", outside)
		}
	}
}

// After the end of a frozen campaign, a user drops a candidate. The user enters a reason and the name of a second
// person, who agreed.
func TestFrozen(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: a browser takes a while")
	}
	p := &page{t, browser(t)}
	c := webtest.Begin(t, `protocol = "frozen"`, "")
	webtest.Finish(t, c, rand.New(rand.NewPCG(1, 2)))
	for i := range 55 {
		if err := c.Sign(fmt.Sprint("Signer ", i), "", "Ada"); err != nil {
			t.Fatal(err)
		}
	}
	p.do(chromedp.Navigate(webtest.Serve(t, c)))
	p.until(`document.querySelector("#headline.done") && events[0]?.event === state.event`)
	p.do(click("#older"))
	p.until(`events.at(-1).event === 1 && new Set(events.map((e) => e.event)).size === state.event`)
	p.do(click("#seen"), chromedp.SendKeys("#as", "robot-1"), click(`[data-drop="A03"]`), chromedp.WaitVisible("#dialog"),
		chromedp.SendKeys("#dialog [name=why]", "sold out"), chromedp.SendKeys("#dialog [name=by]", "Bob"), click("#dialog-yes"))
	p.says("A03 was dropped")
	p.until(`byId("amendments").textContent.includes("A03 is not available: sold out (agreed by Bob)") && !byId("seen").checked`)
}
