package report

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
)

// A page that is too short for all reasons of the answer is without the last of them, and only as many as it takes.
func TestClaimsWithoutReasons(t *testing.T) {
	r := &Report{}
	arms := func() (list []campaign.ArmStatus) {
		for _, name := range []string{"A", "B", "C", "D"} {
			list = append(list, campaign.ArmStatus{Arm: name, Chosen: name != "D", Verdict: "optimal", Why: strings.Repeat("because ", 60)})
		}
		return list
	}
	all := arms()
	long := r.claimRoom(&all[0])
	all[0].Why = ""
	short := r.claimRoom(&all[0])
	for _, x := range []struct {
		room    float64
		reasons string // of whom
		claims  int
	}{
		{4 * long, "ABCD", 4}, {3 * long, "ABC", 3}, {2*long + short, "AB", 3}, {long + 2*short, "A", 3}, {long + 2*short - 1, "A", 2},
	} {
		got, reasons := r.claims(arms(), x.room), ""
		for _, a := range got {
			if a.Why != "" {
				reasons += a.Arm
			}
		}
		if len(got) != x.claims || reasons != x.reasons {
			t.Errorf("room for %v: %d claims, reasons of %q; want %d and %q", x.room, len(got), reasons, x.claims, x.reasons)
		}
	}
}

// Numbers have four digits, lists an "and", and what is not finite is a dash.
func TestPlainWords(t *testing.T) {
	for want, x := range map[string]float64{"12.35": 12.3456, "0": 0, "-1e+06": -1e6, "1.235e+07": 12345678,
		"1.235e-05": 1.2345678e-5, "123500": 123456} {
		if got := number(x); got != want {
			t.Errorf("%v is %q; want %q", x, got, want)
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := number(x); got != "–" {
			t.Errorf("%v is %q", x, got)
		}
	}
	// An interval has two ends that are known and differ; a value that is known exactly has none.
	inf, nan := math.Inf(1), math.NaN()
	for _, x := range []struct {
		low, high    float64
		want, spread string
	}{{1.23456, 2, "1.235 to 2", "1.235 to 2"}, {-2, -1e-9, "-2 to -1e-09", "-2 to -1e-09"}, {3, 3, "", "3 to 3"}, {nan, 2, "", ""}, {1, nan, "", ""}, {-inf, 2, "", ""}, {1, inf, "", ""}} {
		a := campaign.ArmStatus{Low: []float64{7, x.low}, High: []float64{8, x.high}}
		r := Replicates{Low: []float64{7, x.low}, High: []float64{8, x.high}}
		if got := interval(a, 1); got != x.want {
			t.Errorf("from %v to %v is %q; want %q", x.low, x.high, got, x.want)
		}
		if got := spread(r, 1); got != x.spread {
			t.Errorf("a prediction from %v to %v is %q; want %q", x.low, x.high, got, x.spread)
		}
	}
	at := time.Date(2026, 1, 2, 0, 30, 5, 999, time.FixedZone("", 3600))
	if got, want := when(at), "2026-01-01 23:30:05 UTC"; got != want {
		t.Errorf("%v is %s; want %s", at, got, want)
	}
	// Paths that a shell would not take as they are have quotes.
	for path, want := range map[string]string{"a-b_c/D.9": "a-b_c/D.9", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "a;b": "'a;b'", "ä": "'ä'", "~": "'~'", "a*": "'a*'", `a\b`: `'a\b'`} {
		if got := quoted(path); got != want {
			t.Errorf("%s is quoted as %s; want %s", path, got, want)
		}
	}
	for want, list := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := listed(list); got != want {
			t.Errorf("%q is listed as %q", list, got)
		}
	}
}

// Whatever is long on a page to sign takes the room of claims: each of its texts does, by its lines.
func TestRoomForClaims(t *testing.T) {
	const letters = 1000
	long := strings.Repeat("word ", letters/5)
	for name, x := range map[string]struct {
		set  func(*Report)
		line int // letters of a line of it, 0 if there is no such text
	}{
		"nothing": {func(*Report) {}, 0}, "title": {func(r *Report) { r.Title = long }, 50}, "headline": {func(r *Report) { r.Headline = long }, 75},
		"question": {func(r *Report) { r.Question = long }, 105}, "monitors": {func(r *Report) { r.Evidence.Text = long }, 105},
	} {
		r := &Report{View: View{Status: campaign.Status{Objectives: []string{"y"}, Evidence: campaign.Evidence{Text: "nothing found"}}}}
		for i := range 60 {
			r.Arms = append(r.Arms, campaign.ArmStatus{Arm: fmt.Sprint("arm ", i), Available: i > 0, Verdict: "undecided",
				Estimate: campaign.Numbers{1}, Low: campaign.Numbers{0}, High: campaign.Numbers{2}})
		}
		x.set(r)
		room := pageRoom - 4*textLine
		if x.line > 0 {
			room -= textLine * float64(letters/x.line)
		}
		want := int(room / r.claimRoom(&r.Arms[1]))
		var page strings.Builder
		if err := r.Certificate(&page); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(page.String(), " used</td>"); n != want || !strings.Contains(page.String(), fmt.Sprintf("%d more candidates", 59-want)) {
			t.Errorf("%s is long: %d claims; want %d of 59", name, n, want)
		}
	}
}

// A claim takes the room of the longer of its two sides: of the name and the verdict, or of the means of all objectives and the reason.
func TestRoomOfAClaim(t *testing.T) {
	for _, x := range []struct {
		objectives        int
		arm, verdict, why int // letters
		lines             float64
	}{{1, 1, 1, 0, 2}, {1, 1, 1, 50, 2}, {1, 1, 1, 95, 3}, {3, 1, 1, 0, 2}, {6, 1, 1, 0, 2}, {12, 1, 1, 0, 4}, {12, 1, 1, 50, 5}, {1, 70, 1, 0, 4}, {1, 1, 45, 0, 4}, {12, 70, 45, 0, 6}} {
		r, a := &Report{}, campaign.ArmStatus{Arm: strings.Repeat("a", x.arm), Verdict: strings.Repeat("v", x.verdict), Why: strings.Repeat("w", x.why)}
		for range x.objectives { // "yield of step 3 1 (0 to 2); " has 28 letters, and a line 90
			r.Objectives = append(r.Objectives, "yield of step 3")
			a.Estimate, a.Low, a.High = append(a.Estimate, 1), append(a.Low, 0), append(a.High, 2)
		}
		if got, want := r.claimRoom(&a), claimRule+claimLine*x.lines; got != want {
			t.Errorf("%+v: %v; want %v", x, got, want)
		}
	}
}
