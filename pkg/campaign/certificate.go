package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
)

// certificateFormat is the format name in the first line of a certificate.
const certificateFormat = "purexp certificate"

// The following types are the lines of a certificate that follow the record. docs/certificate.md
// has the schema; the meaning of a field never changes.
type (
	statement struct {
		Part    string   `json:"part"` // "statement"
		Program string   `json:"program"`
		Status  string   `json:"status"` // finished or running
		Find    string   `json:"find"`
		Method  string   `json:"method"`
		Setting string   `json:"settings"` // settings of the method, as text
		Radius  string   `json:"radius,omitempty"`
		Delta   float64  `json:"delta"`
		Ended   int      `json:"ended,omitempty"` // event after which the method stopped
		Used    int      `json:"used"`
		Answer  []string `json:"answer"`
		Holds   []string `json:"holds_if"`
		// Confirmed describes the confirming measurements in words.
		Confirmed string `json:"confirmed,omitempty"`
		// Start lists candidates whose features span the features of all candidates, in the order
		// in which they were found. Rounds is the number of results in each complete round of a
		// method with rounds. Leaders lists the leader and the runner-up of each round after the
		// first, including the current round.
		Start   []string    `json:"start,omitempty"`
		Rounds  []int       `json:"rounds,omitempty"`
		Leaders [][2]string `json:"leaders,omitempty"`
	}
	claim struct {
		Part string `json:"part"` // "claim"
		Arm  string `json:"arm"`
		Used int    `json:"used"`
		// Mean, Low and High are in the user's units, by objective.
		Mean    Numbers       `json:"mean"`
		Low     Numbers       `json:"low"`
		High    Numbers       `json:"high"`
		Class   explore.Class `json:"class"`
		Verdict string        `json:"verdict"`
		Why     string        `json:"why,omitempty"`
		// Margin, Radius, Slack and SlackBy are in units of standardised rewards.
		By        string   `json:"by,omitempty"`
		Margin    *float64 `json:"margin,omitempty"`
		Radius    *float64 `json:"margin_radius,omitempty"`
		Estimated bool     `json:"estimated,omitempty"`
		Bound     string   `json:"bound,omitempty"`
		Slack     *float64 `json:"slack,omitempty"`
		SlackBy   *float64 `json:"slack_radius,omitempty"`
		// Capital is the logarithm of the capital of the bets that this candidate is not the best.
		// Within is the logarithm of the capital of the bets that the leader is worse than this
		// candidate by at most the tolerance.
		Capital *float64 `json:"log_capital,omitempty"`
		Within  *float64 `json:"log_within,omitempty"`
	}
	monitors struct {
		Part string `json:"part"` // "monitors"
		Evidence
	}
	ending struct {
		Part string `json:"part"` // "end"
		Hash string `json:"hash"` // hash of all bytes before this line
	}
)

// Certifiable returns nil if the campaign can have a certificate. The error wraps ErrConflict if
// the method failed or has a fixed budget, or if the results contradict the declarations.
func (s *Status) Certifiable() error {
	switch {
	case s.Budget > 0:
		return conflict("there is no certificate, because %s spends a fixed number of measurements and declares "+
			"no error probability; the report has the results", s.Method)
	case s.Status == Broken:
		return conflict("there is no certificate, because the method failed; the report has the results")
	case s.withdrawn():
		return conflict("the certificate is withdrawn: %s The report has the results", s.Evidence.Text)
	}
	return nil
}

// Certificate writes everything that is needed to check the answer without purexp: the record, the
// statement, a claim for each candidate, and the findings of the monitors. docs/certificate.md
// describes the check. Before the campaign has ended, the certificate states the verdicts that are
// certain so far. Certificate fails if the method failed or if the certificate is withdrawn; see
// [Status.Certifiable].
func (c *Campaign) Certificate(w io.Writer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.store.Read(func(tx *events.Tx) error {
		if err := c.sync(tx); err != nil {
			return err
		}
		list, err := read(tx)
		if err != nil {
			return err
		}
		parts, err := c.now.certificate()
		if err != nil {
			return err
		}
		sum := sha256.New()
		out := io.MultiWriter(w, sum)
		if err := export(out, certificateFormat, list); err != nil {
			return err
		}
		for _, p := range parts {
			if err := json.NewEncoder(out).Encode(p); err != nil {
				return err
			}
		}
		return json.NewEncoder(w).Encode(ending{"end", hex.EncodeToString(sum.Sum(nil))})
	})
}

// certificate returns the lines of a certificate that follow the record.
func (m *snapshot) certificate() ([]any, error) {
	r := m.run
	s := m.status()
	if err := s.Certifiable(); err != nil {
		return nil, err
	}
	head := statement{Part: "statement", Program: program(), Status: s.Status, Find: s.Find,
		Method: s.Method, Setting: fmt.Sprint(r.policy), Radius: r.compiled.Radius(),
		Delta: s.Delta, Used: s.Used, Answer: []string{}, Holds: m.holds(), Confirmed: r.confirmed(),
		Rounds: r.rounds}
	if r.session.Status() == explore.Stopped {
		head.Ended = r.ended
	}
	if r.compiled.Card.Uses.Has(explore.UsesFeatures) {
		x, err := r.compiled.Problem.Features()
		if err != nil {
			return nil, err
		}
		for _, i := range lsq.NewSpan(x).Points() {
			head.Start = append(head.Start, r.compiled.Source.Candidates.Names[i])
		}
	}
	if p, ok := r.policy.(interface{ Leaders() [][2]int }); ok {
		names := r.compiled.Source.Candidates.Names
		for _, x := range p.Leaders()[:min(len(head.Rounds), len(p.Leaders()))] {
			head.Leaders = append(head.Leaders, [2]string{names[x[0]], names[x[1]]})
		}
	}
	var claims []any
	for i := range s.Arms {
		if x := &s.Arms[i]; x.Available {
			if x.Chosen {
				head.Answer = append(head.Answer, x.Arm)
			}
			claims = append(claims, r.claim(x, r.arm[i]))
		}
	}
	return slices.Concat([]any{head}, claims, []any{monitors{"monitors", s.Evidence}}), nil
}

// claim returns the claim about candidate i of the policy's problem, with status x.
func (r *run) claim(x *ArmStatus, i int) claim {
	c := claim{Part: "claim", Arm: x.Arm, Used: x.Used, Mean: r.told(x.Estimate), Low: r.told(x.Low),
		High: r.told(x.High), Class: x.Class, Verdict: x.Verdict, Why: x.Why}
	if i < 0 { // candidate x is a newcomer that the policy does not know yet
		return c
	}
	if reasons := r.session.Result().Answer.Reasons; reasons != nil {
		why := &reasons[i]
		c.Estimated = why.Estimated
		if why.By >= 0 {
			c.By = r.compiled.Source.Candidates.Names[why.By]
			c.Margin, c.Radius = finite(why.Margin), finite(why.MarginRadius)
		}
		if why.Constraint >= 0 {
			c.Bound = r.compiled.Bounds[why.Constraint].Name
			c.Slack, c.SlackBy = finite(why.Slack), finite(why.SlackRadius)
		}
	}
	if p, ok := r.policy.(interface {
		Capital(i int) (log float64)
		CapitalWithin(i int) (log float64)
	}); ok {
		c.Capital, c.Within = finite(p.Capital(i)), finite(p.CapitalWithin(i))
	}
	return c
}

// told converts means to the units of results: rates become counts, and other means do not change.
func (r *run) told(means Numbers) Numbers {
	list := slices.Clone(means)
	for i, s := range r.compiled.Scales {
		if s.Trials > 0 {
			list[i] *= s.Trials
		}
	}
	return list
}

// finite returns a pointer to x, or nil if x is not finite, for JSON.
func finite(x float64) *float64 {
	if n := (Numbers{x}); n.known(0) {
		return &n[0]
	}
	return nil
}
