package report

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/tidy"
)

// A Report is a campaign as one HTML file.
type Report struct {
	View
	// At is when the last event was recorded.
	At time.Time `json:"at"`
	// Design says how measurements are chosen and results are taken, a sentence each.
	Design []string `json:"design"`
	// Declared is all that was said before, in the order of the problem.
	Declared []Declaration `json:"declared"`
	// Record are all events, from the first.
	Record []campaign.Event `json:"record"`
	// Sure says how sure the answer is with the results so far; nil if the method does not tell.
	Sure *campaign.Sureness `json:"sure,omitempty"`
	// Replicates are those of each candidate that is available, and Scatter that of all together.
	Replicates []Replicates `json:"replicates"`
	Scatter    *Scatter     `json:"scatter"`
	// Verify are commands with which a reader can check the file of the campaign.
	Verify []string `json:"verify"`
}

//go:embed report.html
var reportPage string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"number": number, "interval": interval, "when": when, "count": tidy.Int,
	"image": image, "add": func(a, b int) int { return a + b },
}).Parse(reportPage))

// mostPlanes is how many pairs of objectives are drawn at most.
const mostPlanes = 6

// HTML writes the report as one file that needs nothing else: question, design, what was declared, answer
// with reasons and intervals, what the guarantee covers, what the monitors found, amendments, signatures, data, figures
// with a text for those who cannot see them, version, and how to verify it. Browsers print it on numbered pages of A4.
func (r *Report) HTML(w io.Writer) error {
	data := struct {
		*Report
		Planes []Figure
		Effort Figure
		Few    bool // some planes are left out
		Made   time.Time
		Own    map[string]campaign.ArmStatus // by name
	}{Report: r, Made: time.Now(), Own: map[string]campaign.ArmStatus{}}
	for i := range r.Arms {
		data.Own[r.Arms[i].Arm] = r.Arms[i]
	}
	d := len(r.Columns)
	for x := range d {
		for y := x + 1; y < d; y++ {
			if len(data.Planes) == mostPlanes {
				data.Few = true
				continue
			}
			f, err := r.Plane(x, y, Wide)
			if err != nil {
				return err
			}
			data.Planes = append(data.Planes, f)
		}
	}
	var err error
	if d == 1 {
		f, err := r.Plane(0, 0, Wide)
		if err != nil {
			return err
		}
		data.Planes = []Figure{f}
	}
	if data.Effort, err = r.View.Effort(Wide); err != nil {
		return err
	}
	return reportTemplate.Execute(w, data)
}

// image is the source of an image that is in the page.
func image(f Figure) template.URL {
	return template.URL("data:image/svg+xml;base64," +
		base64.StdEncoding.EncodeToString([]byte(f.SVG))) // #nosec: made here
}

// number writes a number with four significant digits.
func number(x float64) string {
	if !finite(x) {
		return "–"
	}
	return strconv.FormatFloat(rounded(x), 'g', -1, 64)
}

// finite reports whether a number is known.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// rounded rounds to four significant digits.
func rounded(x float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		return x
	}
	return v
}

// interval writes the interval of objective c of an arm, "" if there is none or it is one number.
func interval(a campaign.ArmStatus, c int) string {
	if !finite(a.Low[c]) || !finite(a.High[c]) || a.Low[c] == a.High[c] {
		return ""
	}
	return fmt.Sprintf("%s to %s", number(a.Low[c]), number(a.High[c]))
}

// when writes a time in UTC.
func when(t time.Time) string {
	return t.UTC().Format(time.DateTime) + " UTC"
}

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
