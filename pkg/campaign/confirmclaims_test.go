package campaign

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/monitor"
)

// The claims for a Pareto set agree with their definition. Each member of the set is ahead of every other
// candidate in the objective where its lead is largest. Each other candidate is dominated by the member that beats
// this candidate most clearly.
func TestConfirmPareto(t *testing.T) {
	const tolerance = .5
	text := fmt.Sprintf(`[question]
find = "pareto"
delta = 0.05
[candidates]
file = "c.csv"
features = ["u", "v"]
[[objective]]
name = "y"
tolerance = %v
noise = { sd = 1 }
[[objective]]
name = "z"
tolerance = %v
noise = { sd = 1 }
[method]
name = "Sparing"
`, tolerance, tolerance)
	p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) {
		return []byte("name,u,v\na,1,9\nb,6,7\nc,9,2\nd,5,5\ne,0,7\nf,8,1\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	mean := [][]float64{{1, 9}, {6, 7}, {9, 2}, {5, 5}, {0, 7}, {8, 1}} // the means equal the features
	c := beginWith(t, p)
	for i := 0; status(t, c).Confirming == 0; i++ {
		var results []Result
		for _, k := range ask(t, c, 9) {
			results = append(results, Result{Ticket: k.Ticket, Values: mean[k.Arm[0]-'a']})
		}
		if i > 1000 || len(results) == 0 {
			t.Fatal("no answer is being confirmed:", status(t, c).Headline)
		}
		tell(t, c, results...)
	}
	var got []jointClaim
	var members []int
	if err := c.read(func(m *snapshot) error {
		got, members = m.run.claims(), m.run.session.Result().Answer.Items
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 1, 2}; !slices.Equal(members, want) {
		t.Fatalf("the answer is %v; want %v", members, want)
	}
	ahead := func(i, j int) (most, least float64, where int) {
		most, least = math.Inf(-1), math.Inf(1)
		for o := range mean[i] {
			x := mean[i][o] - mean[j][o]
			if least = min(least, x); x > most {
				most, where = x, o
			}
		}
		return most, least, where
	}
	var want []jointClaim
	for j := range mean {
		by, clearest := -1, math.Inf(-1)
		for i := range mean {
			if i == j {
				continue
			}
			if slices.Contains(members, j) {
				most, _, where := ahead(j, i)
				want = append(want, jointClaim{[]monitor.Claim{{Ahead: j, Behind: i, Objective: where,
					Margin: tolerance}}, most + tolerance})
			} else if _, least, _ := ahead(i, j); slices.Contains(members, i) && least > clearest {
				by, clearest = i, least
			}
		}
		if by >= 0 {
			want = append(want, jointClaim{[]monitor.Claim{{Ahead: by, Behind: j, Objective: 0,
				Margin: tolerance}, {Ahead: by, Behind: j, Objective: 1, Margin: tolerance}}, clearest})
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d claims; want %d", len(got), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(got[i].claims, want[i].claims) || math.Abs(got[i].amount-want[i].amount) > 1e-5 {
			t.Errorf("claim %d is %v; want %v", i, got[i], want[i])
		}
	}
}

// The claims for the best candidate state that it is ahead of each other candidate, up to the tolerance.
func TestConfirmBest(t *testing.T) {
	text := strings.Replace(onALine, `unit = "%"`, "tolerance = 4.5", 1)
	p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) {
		return []byte("name,x\na,1\nb,2\nc,3\nd,4\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c := beginWith(t, p)
	line := map[string]float64{"a": 51, "b": 54, "c": 57, "d": 60}
	if s := toTheEnd(t, c, line, rand.New(rand.NewPCG(1, 3))); !s.Done() {
		t.Fatal(s.Headline)
	}
	if err := c.read(func(m *snapshot) error {
		var got []monitor.Claim
		for _, l := range m.run.claims() {
			got = append(got, l.claims...)
		}
		want := []monitor.Claim{{Ahead: 3, Behind: 0, Margin: 2.25}, {Ahead: 3, Behind: 1, Margin: 2.25},
			{Ahead: 3, Behind: 2, Margin: 2.25}} // one reward unit is 2 units of the problem
		if !slices.Equal(got, want) {
			t.Errorf("claims %v; want %v", got, want)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// If the number of candidates is limited, the claims with the smallest margins are confirmed, in ascending order of
// margin. The other claims about the same candidates are confirmed, too.
func TestConfirmClosest(t *testing.T) {
	claim := func(ahead, behind int, amount float64) jointClaim {
		return jointClaim{[]monitor.Claim{{Ahead: ahead, Behind: behind}}, amount}
	}
	list := []jointClaim{claim(0, 1, .5), claim(2, 3, .1), claim(4, 5, .9), claim(3, 6, .2), claim(2, 6, .3),
		claim(0, 2, .4), claim(6, 0, .6), claim(6, 3, .95)}
	for n, want := range map[int][][2]int{
		1: nil,
		2: {{2, 3}},
		3: {{2, 3}, {3, 6}, {2, 6}, {6, 3}},
		4: {{2, 3}, {3, 6}, {2, 6}, {0, 2}, {6, 0}, {6, 3}},
		5: {{2, 3}, {3, 6}, {2, 6}, {0, 2}, {0, 1}, {6, 0}, {6, 3}},
		7: {{2, 3}, {3, 6}, {2, 6}, {0, 2}, {0, 1}, {6, 0}, {4, 5}, {6, 3}},
	} {
		mixed := slices.Clone(list)
		rand.New(rand.NewPCG(1, uint64(n))).Shuffle(len(mixed), func(i, j int) {
			mixed[i], mixed[j] = mixed[j], mixed[i]
		})
		var got [][2]int
		for _, c := range closest(mixed, n) {
			got = append(got, [2]int{c.Ahead, c.Behind})
		}
		if !slices.Equal(got, want) {
			t.Errorf("among %d candidates: %v; want %v", n, got, want)
		}
	}
}
