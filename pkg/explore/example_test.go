package explore_test

import (
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
)

func ExampleReadMeasurements() {
	p := &explore.Problem{Arms: 2, Objectives: 1, ArmNames: []string{"old", "new"},
		ObjectiveNames: []string{"yield"}}
	obs, err := explore.ReadMeasurements(
		strings.NewReader("batch,arm,yield\n1,old,0.61\n2,new,0.70\n3,new,0.66\n"), p)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range obs {
		fmt.Printf("%s: %d measurements, sum %.2f\n", p.Arm(b.Arm), b.N, b.Sum)
	}
	_, err = explore.ReadMeasurements(strings.NewReader("arm,yield\nold,0.61\nnew,n/a\n"), p)
	fmt.Println(err)
	// Output:
	// old: 1 measurements, sum [0.61]
	// new: 2 measurements, sum [1.36]
	// explore: measurements: row 3, column "yield": "n/a" is not a finite number
}

// A session refuses what was not asked for, and loses nothing.
func ExampleSession() {
	s, err := explore.NewSession(newScript(), problem(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	pulls, _ := s.Ask()
	fmt.Println("asked:", pulls)
	fmt.Println(s.Tell([]explore.Batch{batch(0, 2, 1, 2), batch(1, 1, 3, 4)}))
	fmt.Println(s.Tell([]explore.Batch{batch(0, 2, 1, 2), batch(2, 1, 3, 4)}))
	fmt.Println(s.Result().Pulls, "pulls")
	// Output:
	// asked: [{0 2} {2 1}]
	// explore: round 1, batch 1: 1 rewards of 25 mg; want 1 of 75 mg: these are not the measurements asked for
	// <nil>
	// 3 pulls
}

func ExampleRun() {
	r, err := explore.Run(newScript(), problem(), zeros{}, &explore.Settings{MaxPulls: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, "after", r.Pulls, "pulls")
	fmt.Println(r.Status.Err())
	// Output:
	// pull limit after 3 pulls
	// explore: the limit on pulls was reached before the policy stopped; undecided items are named in the answer's reasons
}
