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

// Report is the content of a report file.
type Report struct {
	View
	// At is the time of the last event.
	At time.Time `json:"at"`
	// Design describes in sentences how measurements are selected and how results are used.
	Design []string `json:"design"`
	// Declared lists derived settings, and then all declarations of the problem file.
	Declared []Declaration `json:"declared"`
	// Record lists all events, starting with the first.
	Record []campaign.Event `json:"record"`
	// Sure describes how certain the answer is so far; nil if unknown.
	Sure *campaign.Confidence `json:"sure,omitempty"`
	// Replicates has the replicates of each available candidate; Scatter summarises the replicates
	// of all candidates.
	Replicates []Replicates `json:"replicates"`
	Scatter    *Scatter     `json:"scatter"`
	// Verify lists shell commands that check the campaign file.
	Verify []string `json:"verify"`
}

//go:embed report.html
var reportPage string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"number": number, "interval": interval, "when": when, "count": tidy.Int,
	"image": image, "add": func(a, b int) int { return a + b },
}).Parse(reportPage))

// mostPlanes is the largest number of pairs of objectives that the report draws.
const mostPlanes = 6

// HTML writes the report as one self-contained file. The report contains the question, design,
// declarations, answer, guarantee, findings of the monitors, amendments, signatures, data and
// figures. The report also explains how to verify the record. Browsers print the report on numbered
// A4 pages.
func (r *Report) HTML(w io.Writer) error {
	data := struct {
		*Report
		Planes []Figure
		Effort Figure
		Few    bool // some pairs of objectives are not drawn
		Made   time.Time
		Own    map[string]campaign.ArmStatus // arms by name
	}{Report: r, Made: time.Now(), Own: map[string]campaign.ArmStatus{}}
	for i := range r.Arms {
		data.Own[r.Arms[i].Arm] = r.Arms[i]
	}
	d := len(r.Columns)
	for x := range d {
		for y := x + 1; y < max(d, 2); y++ { // one objective has one figure
			if len(data.Planes) == mostPlanes {
				data.Few = true
				continue
			}
			f, err := r.Plane(x, min(y, d-1), Wide)
			if err != nil {
				return err
			}
			data.Planes = append(data.Planes, f)
		}
	}
	var err error
	if data.Effort, err = r.View.Effort(Wide); err != nil {
		return err
	}
	return reportTemplate.Execute(w, data)
}

// image encodes an image as a data URL, for embedding in HTML.
func image(f Figure) template.URL {
	return template.URL("data:image/svg+xml;base64," +
		base64.StdEncoding.EncodeToString([]byte(f.SVG))) // #nosec: this program made the SVG
}

// number formats a number with four significant digits, or a dash if it is not finite.
func number(x float64) string {
	if !finite(x) {
		return "–"
	}
	return strconv.FormatFloat(rounded(x), 'g', -1, 64)
}

// finite reports whether x is finite.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// rounded rounds x to four significant digits.
func rounded(x float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		return x
	}
	return v
}

// interval formats the interval of objective c for an arm, or returns "" if the interval is missing
// or a single point.
func interval(a campaign.ArmStatus, c int) string {
	if !finite(a.Low[c]) || !finite(a.High[c]) || a.Low[c] == a.High[c] {
		return ""
	}
	return fmt.Sprintf("%s to %s", number(a.Low[c]), number(a.High[c]))
}

// when formats a time in UTC.
func when(t time.Time) string {
	return t.UTC().Format(time.DateTime) + " UTC"
}

//go:embed certificate.html
var certificatePage string

var certificateTemplate = template.Must(template.New("certificate").Funcs(template.FuncMap{
	"number": number, "interval": interval, "when": when, "count": tidy.Int,
}).Parse(certificatePage))

// mostClaims is the largest number of claims on the printed certificate, unless the answer has more
// candidates; all of them are printed.
const mostClaims = 12

// Certificate writes an A4 page to print and sign, as one HTML file. The page contains the
// question, the answer, the assumptions, the claims in short form, findings of the monitors, and
// the hash of the record. Certificate fails if the campaign has no certificate; see
// [campaign.Status.Certifiable].
func (r *Report) Certificate(w io.Writer) error {
	if err := r.Certifiable(); err != nil {
		return err
	}
	data := struct {
		*Report
		Holds   []string
		Watched string
		Claims  []campaign.ArmStatus
		More    int // number of omitted candidates
		Made    time.Time
	}{Report: r, Watched: r.Evidence.Text, Made: time.Now()}
	for i, text := range r.Guarantee {
		switch {
		case i == 0 && r.Done(): // the headline already says the same
		case strings.HasPrefix(text, r.Evidence.Text):
			data.Watched = text
		default:
			data.Holds = append(data.Holds, text)
		}
	}
	data.Claims = slices.DeleteFunc(slices.Clone(r.Arms), func(a campaign.ArmStatus) bool { return !a.Available })
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

// rank is a sort key of arms: 0 for arms of the answer, 1 for undecided arms, and 2 for rejected
// arms.
func rank(a *campaign.ArmStatus) int {
	switch {
	case a.Chosen:
		return 0
	case a.Class == explore.Undecided:
		return 1
	}
	return 2
}
