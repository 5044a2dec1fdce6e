package campaign

import (
	"bytes"
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// overlapping is a problem with six candidates, for the given method.
func overlapping(t testing.TB, method string) *problem.Problem {
	t.Helper()
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "pareto"
delta = 0.05
[candidates]
names = ["A", "B", "C", "D", "E", "F"]
[[objective]]
name = "yield"
noise = { sd = 3 }
[[objective]]
name = "impurity"
goal = "minimise"
noise = { sd = 0.8 }
[method]
`+method), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A trade is an example problem with a simulated laboratory. Each asker requests a plate of the given number of wells
// per unit of time (the plate time). If the number is 1, the asker requests a well whenever its previous result
// arrives.
type trade struct {
	name, file, before string // before is the earlier default method
	edit               [2]string
	askers, wells      int
	lasts              func(rnd *rand.Rand) float64 // draws the time until a result, in plate times
	fail               float64
}

var trades = []trade{
	{"chemist: 12 catalysts, plates of 8, two out, a fifth late, 5 % fail", "chemistry", "e-cAPE", [2]string{}, 1, 8,
		func(rnd *rand.Rand) float64 {
			if rnd.IntN(5) == 0 {
				return float64(3 + rnd.IntN(3))
			}
			return 2
		}, .05},
	{"engineer: 8 sets of flags, 8 workers that ask one by one", "compiler", "UGapE", [2]string{}, 8, 1, minutes, 0},
	{"the same with times of sd 6 instead of 1.5", "compiler", "UGapE", [2]string{"sd = 1.5", "sd = 6.0"}, 8, 1, minutes, 0},
	{"statistician: 5 doses, cohorts of 12 patients, a tenth missing", "trial", "e-cAPE",
		[2]string{"counts = 12", "counts = 1"}, 1, 12, func(*rand.Rand) float64 { return 1 }, .1},
}

func minutes(rnd *rand.Rand) float64 { return .5 + rnd.ExpFloat64() }

// begin creates the campaign of an example with a method ("" for the default). The guesses of the example are the
// true means: begin returns them in the units of results and of rewards.
func (x *trade) begin(t *testing.T, method string) (c *Campaign, means map[string][]float64, rewards *mat.Dense) {
	t.Helper()
	text, err := os.ReadFile("../../cmd/purexp/examples/" + x.file + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.ReplaceAll(string(text), cmp.Or(x.edit[0], "\n"), cmp.Or(x.edit[1], "\n"))
	if method != "" { // join = true also reserves a part of delta for newcomers
		edited = strings.Replace(edited, "[candidates]\n", "[candidates]\njoin = true\n", 1) + "\n[method]\nname = \"" + method + "\"\n"
	}
	p, err := problem.Parse("p.toml", []byte(edited), func(name string) ([]byte, error) {
		return os.ReadFile("../../cmd/purexp/examples/" + name)
	})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	means, rewards = map[string][]float64{}, mat.NewDense(p.K(), len(p.Objectives), nil)
	for i, name := range p.Candidates.Names {
		for c, o := range p.Objectives {
			if o.Known {
				rewards.Set(i, c, compiled.Scales[c].In(o.Exact[i]))
				continue
			}
			means[name] = append(means[name], o.Guesses[i])
			rewards.Set(i, c, compiled.Scales[c].In(o.Guesses[i]))
		}
	}
	return beginWith(t, p), means, rewards
}

// run requests and reports measurements until the campaign is no longer running.
func (x *trade) run(t *testing.T, c *Campaign, means map[string][]float64, rnd *rand.Rand) {
	t.Helper()
	type due struct {
		at float64
		Result
	}
	var out []due
	free := make([]float64, x.askers)
	p, err := c.Problem()
	if err != nil {
		t.Fatal(err)
	}
	for c.now.state() == Running {
		asker := slices.Index(free, slices.Min(free))
		if len(out) > 0 && out[0].at <= free[asker] {
			var results []Result
			for at := out[0].at; len(out) > 0 && out[0].at == at; out = out[1:] {
				results = append(results, out[0].Result)
			}
			tell(t, c, results...)
			continue
		}
		now := free[asker]
		free[asker] = now + 1
		for _, ticket := range ask(t, c, x.wells) {
			r := Result{Ticket: ticket.Ticket, Failed: rnd.Float64() < x.fail}
			for j, i := range p.Measured() {
				if o := &p.Objectives[i]; !r.Failed {
					r.Values = append(r.Values, drawn(rnd, o, means[ticket.Arm][j], 0))
				}
			}
			d := due{now + x.lasts(rnd), r}
			if x.wells == 1 {
				free[asker] = d.at
			}
			at, _ := slices.BinarySearchFunc(out, d, func(a, b due) int { return cmp.Or(cmp.Compare(a.at, b.at), -1) })
			out = slices.Insert(out, at, d)
		}
	}
}

// Laboratories get the right answer with the default methods; in trades that edit their example, the default methods
// need fewer measurements than the earlier default methods. PUREXP_TRADES=200 go test -run TestOverlapTrades logs mean
// numbers of measurements.
func TestOverlapTrades(t *testing.T) {
	runs, _ := strconv.Atoi(cmp.Or(os.Getenv("PUREXP_TRADES"), "3"))
	for _, x := range trades {
		var asked, right [2]int
		left := 0 // unused results, of rounds that were incomplete at the end
		for k, method := range []string{x.before, ""} {
			for seed := range runs {
				c, means, rewards := x.begin(t, method)
				x.run(t, c, means, rand.New(rand.NewPCG(uint64(seed), uint64(k))))
				s := status(t, c)
				asked[k] += s.Asked
				if a := c.now.run.session.Result().Answer; s.Done() && c.now.run.compiled.Problem.Question.Correct(rewards, a) {
					right[k]++
				}
				if left += s.Unused; k == 1 && seed == 0 {
					verified(t, c)
				}
				must(t, c.Close())
			}
		}
		t.Logf("| %s | %.0f | %.0f | %.2f | %d and %d of %d |", x.name, float64(asked[0])/float64(runs), float64(asked[1])/float64(runs),
			float64(asked[1])/float64(asked[0]), right[0], right[1], runs)
		if asked[1] >= asked[0] && x.edit[1] != "" || right[1] < runs {
			t.Errorf("%s: %d measurements, %d by %s; right in %d of %d", x.name, asked[1], asked[0], x.before, right[1], runs)
		}
		if x.wells > 1 && left == 0 {
			t.Error("no result was left over at the end")
		}
	}
}

// Low results of A and high results of B are late, and arrive after a candidate was dropped. These results do not
// bias the rounds that began at the drop: the means of A and B are equal, so there is no answer.
func TestOverlapLateAtDrop(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "best"
delta = 0.05
[candidates]
names = ["A", "B", "C", "D"]
[[objective]]
name = "yield"
noise = { sd = 1 }
[method]
name = "Betting"
overlap = true
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 5 {
		rnd := rand.New(rand.NewPCG(uint64(seed), 5))
		c := beginWith(t, p)
		var in, late []Result
		for i, x := range ask(t, c, 1600) {
			v := rnd.NormFloat64()
			r := Result{Ticket: x.Ticket, Values: []float64{v}}
			if x.Arm == "A" && v < 0 || x.Arm == "B" && v > 0 || x.Arm == "C" && i%2 == 0 {
				late = append(late, r)
			} else {
				in = append(in, r)
			}
		}
		tell(t, c, in...)
		must(t, c.Drop("D", "the bottle broke", "Ada"))
		tell(t, c, late...)
		if s := status(t, c); s.Status != Running {
			t.Errorf("seed %d: %s", seed, s.Headline)
		}
		verified(t, c)
	}
}

// If all measurements of an announced round failed, the round is withdrawn and the next round gets its number.
// Reopening does not change the campaign, the record verifies, and the checker states what it cannot check.
func TestOverlapWithdrawn(t *testing.T) {
	needPython(t)
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "best"
delta = 0.1
[candidates]
names = ["A", "B"]
[[objective]]
name = "yield"
noise = { range = [0, 100] }
[laboratory]
plate = 8
fill = true
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := beginWith(t, p)
	var results []Result
	for _, x := range ask(t, c, 60) {
		results = append(results, Result{Ticket: x.Ticket, Values: []float64{map[string]float64{"A": 20, "B": 80}[x.Arm]}})
	}
	tell(t, c, results[1:]...) // one result is pending; the other results suffice for an answer
	announced, err := c.Announce("", []string{"A"}, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	for _, ticket := range []int{announced[0].Ticket, results[0].Ticket} {
		if _, err := c.GiveUp([]int{ticket}, "spilled", "Ada"); err != nil {
			t.Fatal(err)
		}
	}
	tell(t, c, Result{ID: "book 1", Arm: "B", Values: []float64{81}})
	if filled := ask(t, c, 8); len(filled) != 8 {
		t.Errorf("%d tickets; want a plate of 8", len(filled))
	}
	was, err := c.Phases()
	again, err1 := Open(c.Path())
	if err != nil || err1 != nil {
		t.Fatal(err, err1)
	}
	defer again.Close()
	if is, err := again.Phases(); err != nil || !reflect.DeepEqual(is, was) {
		t.Errorf("%v, %v; want %v", is, err, was)
	}
	if v, err := Verify(context.Background(), c.Path()); err != nil || !v.OK() || len(v.Notes) > 0 {
		t.Errorf("%+v, %v", v, err)
	}
	if says, code := checked(t, certificate(t, c)); code != 2 || !strings.Contains(says, "between bounds") {
		t.Errorf("the checker: %d, %s", code, says)
	}
}

// A campaign of a version that did not record rounds still works and verifies, and the checker does not reject it.
func TestOverlapOfOlder(t *testing.T) {
	needPython(t)
	x := certifieds["betting"]
	c := certify(t, x, 3)
	list, err := c.events()
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range list {
		body := regexp.MustCompile(`,"phases":\[.*?\}\]`).ReplaceAll(e.Body, nil)
		list[i] = &events.Event{Seq: e.Seq, At: e.At, Who: e.Who, What: e.What, Body: body}
		list[i].Seal(list[:i])
	}
	var out bytes.Buffer
	must(t, export(&out, exportFormat, list))
	older, err := Import(filepath.Join(t.TempDir(), "older.campaign"), &out)
	if err != nil {
		t.Fatal(err)
	}
	defer older.Close()
	verified(t, older)
	goOn(t, older, x, 4)
	verified(t, older)
	if says, code := checked(t, certificate(t, older)); code != 2 {
		t.Errorf("the checker: %d, %s", code, says)
	}
}

// If the recorded rounds differ from the rounds that the method plans now, for example after an edit or in another
// build, Open and Verify use the recorded rounds, and Verify notes the difference.
func TestOverlapOfOthers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	c := beginWith(t, overlapping(t, "name = \"Betting Pareto\"\noverlap = true\n"))
	for range 8 {
		var in []Result
		for i, x := range ask(t, c, 16) {
			if i%4 > 0 {
				in = append(in, Result{Ticket: x.Ticket, Values: []float64{60 + 3*rnd.NormFloat64(), 3 + .8*rnd.NormFloat64()}})
			}
		}
		tell(t, c, in...)
	}
	var out bytes.Buffer
	must(t, c.Export(&out))
	list, err := parseExport(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range list {
		list[i] = &events.Event{Seq: e.Seq, At: e.At, Who: e.Who, What: e.What, Body: e.Body}
		if i > 3 && e.What == KindAsk {
			list[i].Body = []byte(strings.ReplaceAll(string(e.Body), `"n":[`, `"n":[7`))
		}
		list[i].Seal(list[:i])
	}
	out.Reset()
	must(t, export(&out, exportFormat, list))
	again, err := Import(filepath.Join(t.TempDir(), "y.campaign"), &out)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	v, err := Verify(context.Background(), again.Path())
	if err != nil || !v.OK() || len(v.Notes) == 0 {
		t.Errorf("%+v, %v", v, err)
	}
}
