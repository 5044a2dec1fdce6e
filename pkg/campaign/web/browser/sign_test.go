package browser_test

import (
	"math/rand/v2"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/purexp/purexp/pkg/campaign/web/internal/webtest"
)

// TestSign signs a frozen campaign on a telephone, by what has a label; then an arm is dropped, which
// needs a second person, and makes the signature stale.
func TestSign(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: a browser takes a while")
	}
	p := &page{t, browser(t)}
	c := webtest.BeginFrozen(t)
	webtest.Finish(t, c, rand.New(rand.NewPCG(1, 2)))
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile),
		chromedp.Navigate(webtest.Serve(t, c)))
	p.until(`document.querySelector("#headline.done") && document.getElementById("effort").src`)
	fits := `document.documentElement.scrollWidth <= 390 && window.innerWidth === 390`
	labelled := func(where string) {
		t.Helper()
		p.until(`[...document.querySelectorAll("` + where + ` input")].every((i) =>
			i.labels.length === 1 && i.labels[0].innerText.trim() !== "")`)
	}
	labelled("#sign")
	p.until(`document.getElementById("sign-saw").textContent.includes(document.getElementById("headline").textContent)`)
	p.until(`document.getElementById("unsigned").hidden === false`)

	// Nothing is signed before it is said that it was seen.
	p.do(chromedp.SendKeys("#sign [name=name]", "Grace Hopper"),
		chromedp.SendKeys("#sign [name=role]", "statistician"), click("#sign-button"))
	p.until(`document.getElementById("sign").matches(":invalid") && document.querySelectorAll("#signed li").length === 0`)
	p.do(click("#seen"), click("#sign-button"))
	p.says("Grace Hopper has signed")
	p.until(`document.querySelector("#signed li").textContent.startsWith("Grace Hopper, statistician")`)
	p.until(`document.getElementById("unsigned").hidden && !document.getElementById("seen").checked`)
	p.do(chromedp.ScrollIntoView("#signatures"))
	p.until(fits)
	p.shot("9-signed-phone")

	p.do(chromedp.SendKeys("#as", "Ada"), click(`[data-drop="A04"]`), chromedp.WaitVisible("#dialog"))
	labelled("#dialog")
	p.until(`document.getElementById("dialog-text").textContent.includes("second person")`)
	p.shot("10-consent-phone")
	p.do(chromedp.SendKeys("#dialog [name=why]", "sold out"), click("#dialog-yes"))
	p.until(`document.getElementById("dialog").open`) // a second person is missing
	p.do(chromedp.SendKeys("#dialog [name=by]", "Grace Hopper"), click("#dialog-yes"))
	p.says("A04 is dropped")
	p.until(`document.querySelector("#signed li strong").textContent.startsWith("Stale")`)
	p.until(`document.querySelector("#amendments li").textContent.includes("agreed by Grace Hopper")`)
	p.until(fits)
	p.do(chromedp.ScrollIntoView("#amended"))
	p.shot("11-amended-phone")
	if s, err := c.Status(); err != nil || len(s.Signatures) != 1 || len(s.Amendments) != 1 {
		t.Errorf("%+v, %+v, %v", s.Signatures, s.Amendments, err)
	}
}
