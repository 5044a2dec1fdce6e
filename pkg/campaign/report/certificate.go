package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/tidy"
)

//go:embed certificate.html
var certificatePage string

var certificateTemplate = template.Must(template.New("certificate").Funcs(template.FuncMap{
	"number": number, "interval": interval, "when": when, "count": tidy.Int,
}).Parse(certificatePage))

// The heights of what a page of A4 has room for beside what is always there, in points.
const (
	pageRoom  = 438.
	textLine  = 13.
	claimLine = 10.
	claimRule = 2.
)

// lines returns how many lines a text takes, with so many letters a line.
func lines(text string, letters int) float64 { return float64(1 + len(text)/letters) }

// claimRoom is the height of a claim, in points: on the left two lines, on the right means and a reason.
func (r *Report) claimRoom(a *campaign.ArmStatus) float64 {
	means := ""
	for c, e := range a.Estimate {
		means += fmt.Sprintf("%s %s (%s); ", r.Objectives[c], number(e), interval(*a, c))
	}
	right := lines(means, 90)
	if a.Why != "" {
		right += lines(a.Why, 90)
	}
	return claimRule + claimLine*max(right, lines(a.Arm, 30)+lines(a.Verdict, 20))
}

// claims returns the claims for which there is room: the members of the answer first, the last of them
// without their reasons if it takes that, and the others as far as there is more.
func (r *Report) claims(all []campaign.ArmStatus, room float64) []campaign.ArmStatus {
	need := 0.
	members := 0
	for i := range all {
		if all[i].Chosen {
			members++
			need += r.claimRoom(&all[i])
		}
	}
	for i := members - 1; i > 0 && need > room; i-- {
		need -= r.claimRoom(&all[i])
		all[i].Why = ""
		need += r.claimRoom(&all[i])
	}
	for i := range all {
		if room -= r.claimRoom(&all[i]); room < 0 {
			return all[:i]
		}
	}
	return all
}

// Certificate writes a page of A4 to be printed and signed, as one HTML file: question, answer,
// what it rests on, claims in short, what the monitors found, and the hash that stands for the
// record. There is none if there is no certificate, see [campaign.Status.Certifiable].
func (r *Report) Certificate(w io.Writer) error {
	if err := r.Certifiable(); err != nil {
		return err
	}
	data := struct {
		*Report
		Holds   []string
		Watched string
		Claims  []campaign.ArmStatus
		More    int // candidates that are left out
		Made    time.Time
	}{Report: r, Watched: r.Evidence.Text, Made: time.Now()}
	for i, text := range r.Guarantee {
		switch {
		case i == 0 && r.Done() || strings.HasPrefix(text, "Intervals of estimates"):
			// The headline says it, or it is about more than the answer.
		case strings.HasPrefix(text, r.Evidence.Text):
			data.Watched = text
		default:
			data.Holds = append(data.Holds, text)
		}
	}
	for _, a := range r.Arms {
		if a.Available {
			data.Claims = append(data.Claims, a)
		}
	}
	slices.SortStableFunc(data.Claims, func(a, b campaign.ArmStatus) int {
		return rank(&a) - rank(&b)
	})
	room := pageRoom - textLine*(lines(r.Title, 50)+lines(r.Headline, 75)+lines(r.Question, 105)+
		lines(data.Watched, 105))
	for _, text := range data.Holds {
		room -= textLine * lines(text, 105)
	}
	all := len(data.Claims)
	data.Claims = r.claims(data.Claims, room)
	data.More = all - len(data.Claims)
	return certificateTemplate.Execute(w, data)
}

// rank puts the answer first, and then what is not decided.
func rank(a *campaign.ArmStatus) int {
	switch {
	case a.Chosen:
		return 0
	case a.Class == explore.Undecided:
		return 1
	}
	return 2
}
