package explore_test

import (
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
)

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
