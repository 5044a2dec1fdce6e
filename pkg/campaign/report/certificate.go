package report

import (
	_ "embed"
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

// mostClaims is how many claims the page has, unless the answer has more candidates.
const mostClaims = 12

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
	most := mostClaims
	for most < len(data.Claims) && data.Claims[most].Chosen {
		most++
	}
	data.More = max(len(data.Claims)-most, 0)
	data.Claims = data.Claims[:len(data.Claims)-data.More]
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
