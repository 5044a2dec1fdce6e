package live

import (
	"bytes"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/seed"
)

// RunRequest requests one simulated run.
type RunRequest struct {
	Instance Instance `json:"instance"`
	Method   Method   `json:"method"`
	// Seed determines all random choices, as in nb.Run.
	Seed uint64 `json:"seed"`
	// MaxPulls is the number of pulls at which the run ends; zero means 20 million.
	MaxPulls int `json:"maxPulls,omitempty"`
	// If Figure is true, the answer includes the trajectory of the run as SVG.
	Figure bool `json:"figure,omitempty"`
}

const (
	defaultMaxPulls = 20_000_000
	perDecade       = 24 // number of samples of a trajectory for each factor of ten
)

// Run is the result of a simulated run.
type Run struct {
	Status   string `json:"status"` // text of an explore.Status, such as "stopped"
	Pulls    int    `json:"pulls"`
	Rounds   int    `json:"rounds"`
	ArmPulls []int  `json:"armPulls"`
	// Items are the items of the answer; Correct says whether the answer is correct. Verdicts has
	// one entry for each arm; if the policy gives no reasons, the texts contain no reasons.
	Items    []int     `json:"items"`
	Correct  bool      `json:"correct"`
	Verdicts []Verdict `json:"verdicts"`
	// Course contains the states of the run after some of its rounds, including the last round.
	Course []State `json:"course"`
	SVG    string  `json:"svg,omitempty"`
}

// Verdict is the verdict on one arm.
type Verdict struct {
	Class string `json:"class"`
	Text  string `json:"text"` // a sentence
}

// State is the state of a run after a round.
type State struct {
	Pulls    int        `json:"pulls"`
	ArmPulls []int      `json:"armPulls"`
	Classes  []string   `json:"classes"`
	Means    [][]Number `json:"means"` // estimates, K x d
	Half     [][]Number `json:"half"`  // half-widths, K x d, null where nothing is known
}

// course records the states of a run.
type course struct {
	fig.Trace
	tell   Tell
	most   float64
	know   *intervals
	states map[int]*State // states by round
}

// Record implements explore.Recorder.
func (c *course) Record(e explore.Event) error {
	n := len(c.Samples)
	if err := c.Trace.Record(e); err != nil {
		return err
	}
	c.know.record(e)
	if e.Round&0xff == 0 || len(c.Samples) > n {
		c.tell(float64(e.Pulls), c.most)
	}
	if len(c.Samples) > n {
		c.states[e.Round] = c.state()
	}
	return nil
}

// state returns the current state of the run.
func (c *course) state() *State {
	c.know.update()
	return &State{Means: table(mat.DenseCopyOf(c.know.centre)), Half: table(mat.DenseCopyOf(c.know.half))}
}

// all returns the recorded states.
func (c *course) all(p *explore.Problem) []State {
	var states []State
	for _, s := range c.Samples {
		st := c.states[s.Round]
		st.Pulls, st.ArmPulls, st.Classes = s.Pulls, make([]int, p.K()), make([]string, p.M())
		copy(st.ArmPulls, s.ArmPulls)
		for i := range st.Classes {
			st.Classes[i] = explore.Undecided.String()
			if i < len(s.Reasons) {
				st.Classes[i] = s.Reasons[i].Class.String()
			}
		}
		states = append(states, *st)
	}
	return states
}

func run(q *RunRequest, tell Tell) (*Run, error) {
	in, err := q.Instance.build()
	if err != nil {
		return nil, err
	}
	p, know, err := q.Method.policy(in)
	if err != nil {
		return nil, err
	}
	most := q.MaxPulls
	switch {
	case most == 0:
		most = defaultMaxPulls
	case most < 0:
		return nil, fmt.Errorf("maxPulls is %d; expected a positive number", most)
	}
	c := &course{Trace: fig.Trace{PerDecade: perDecade}, tell: tell, most: float64(most),
		know: know, states: map[int]*State{}}
	s := seed.New(q.Seed)
	res, err := explore.Run(p, in.Problem, in.Sampler(s.Child("noise")), &explore.Settings{
		MaxPulls: most, Src: s.Child("policy").Source(), Recorder: c})
	if err != nil {
		return nil, err
	}
	c.End(res)
	if n := len(c.Samples); n > 0 && c.states[c.Samples[n-1].Round] == nil {
		c.states[c.Samples[n-1].Round] = c.state()
	}
	answer := &Run{Status: res.Status.String(), Pulls: res.Pulls, Rounds: res.Rounds,
		ArmPulls: res.ArmPulls, Items: append([]int{}, res.Answer.Items...),
		Correct: in.Problem.Question.Correct(in.Truth(), res.Answer), Course: c.all(in.Problem),
		Verdicts: verdicts(in, res)}
	if q.Figure && len(c.Samples) > 0 {
		answer.SVG, err = drawing(in, &c.Trace)
	}
	return answer, err
}

// verdicts returns the verdict on each arm, with its reason in words.
func verdicts(in *bandit.Instance, res *explore.Result) []Verdict {
	vs := make([]Verdict, in.Problem.M())
	chosen := map[int]bool{}
	for _, i := range res.Answer.Items {
		chosen[i] = true
	}
	for i := range vs {
		if i < len(res.Answer.Reasons) {
			r := res.Answer.Reasons[i]
			vs[i] = Verdict{r.Class.String(), r.Explain(in.Problem, i)}
			continue
		}
		// The policy gives no reasons.
		vs[i] = Verdict{explore.Undecided.String(), in.Problem.Item(i) + ": the policy gives no reason."}
		if chosen[i] {
			vs[i] = Verdict{explore.Optimal.String(), in.Problem.Item(i) + ": in the answer."}
		}
	}
	return vs
}

// drawing returns the trajectory of a run as SVG.
func drawing(in *bandit.Instance, t *fig.Trace) (string, error) {
	f, err := fig.Trajectory(in.Problem, t, nil)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := f.SVG(&b); err != nil {
		return "", err
	}
	return b.String(), nil
}
