package campaign_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Restore a campaign from its exported record into a new file.
func ExampleImport() {
	c, end := begun()
	defer end()
	if _, err := c.Ask(2, "robot-1"); err != nil {
		log.Fatal(err)
	}
	var record bytes.Buffer
	if err := c.Export(&record); err != nil {
		log.Fatal(err)
	}
	again, err := campaign.Import(c.Path()+".copy", &record)
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	was, err := c.Status()
	if err != nil {
		log.Fatal(err)
	}
	is, err := again.Status()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(is.Event, "events; the same hash:", was.Hash == is.Hash)
	// Output: 2 events; the same hash: true
}

// Save the events before the damaged part of a file; here, the file is intact.
func ExampleExportIntact() {
	c, end := begun()
	defer end()
	if _, err := c.Ask(2, "robot-1"); err != nil {
		log.Fatal(err)
	}
	var record bytes.Buffer
	n, damage, err := campaign.ExportIntact(c.Path(), &record)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "events are intact; damage:", damage)
	// Output: 2 events are intact; damage: <nil>
}

// Replay a campaign, and compare the file with the result.
func ExampleVerify() {
	c, end := begun()
	defer end()
	if _, err := c.Ask(2, "robot-1"); err != nil {
		log.Fatal(err)
	}
	v, err := campaign.Verify(context.Background(), c.Path())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.OK(), v.Events, v.Wrong)
	// Output: true 2 []
}

// Undo mistakes; the record keeps the undone events.
func ExampleCampaign_Undo() {
	c, end := begun()
	defer end()
	if _, err := c.Ask(1, "robot-1"); err != nil {
		log.Fatal(err)
	}
	slip, err := c.Tell([]campaign.Result{{Ticket: 1, Values: []float64{17}}}, "robot-1")
	if err != nil {
		log.Fatal(err)
	}
	if err := c.Undo(slip.Event, "digits were swapped", "Ada"); err != nil {
		log.Fatal(err)
	}
	if _, err := c.Tell([]campaign.Result{{Ticket: 1, Values: []float64{71}}}, "Ada"); err != nil {
		log.Fatal(err)
	}
	events, err := c.Events(1)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range events {
		fmt.Println(e.Seq, e.Who, e.Kind, e.Text, e.Undone)
	}
	// Output:
	// 2 robot-1 ask plate 1, ticket 1: A07 0
	// 3 robot-1 tell A07: [17] 4
	// 4 Ada undo event 3 is undone: digits were swapped 0
	// 5 Ada tell A07: [71] 0
}

// Candidates join and leave; the status shows which candidates are still available.
func ExampleCampaign_Drop() {
	c, end := begun()
	defer end()
	if err := c.Drop("B02", "sold out", "Ada"); err != nil {
		log.Fatal(err)
	}
	if err := c.Join(problem.Candidate{Name: "D19"}, "Ada"); err != nil {
		log.Fatal(err)
	}
	s, err := c.Status()
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range s.Arms {
		fmt.Printf("%s %v %q\n", a.Arm, a.Available, a.Dropped)
	}
	// Output:
	// A07 true ""
	// B02 false "sold out"
	// C11 true ""
	// D19 true ""
}

// A campaign belongs to one problem, and rejects a different problem.
func ExampleCampaign_Check() {
	c, end := begun()
	defer end()
	other := yields()
	other.Question.Delta = 0.2
	fmt.Println(c.Check(yields()), errors.Is(c.Check(other), campaign.ErrOther))
	// Output: <nil> true
}

// A program that displays a campaign is notified of new events, even of other processes.
func ExampleCampaign_Watch() {
	c, end := begun()
	defer end()
	if _, err := c.Ask(2, "robot-1"); err != nil {
		log.Fatal(err)
	}
	err := c.Watch(context.Background(), func(event int) bool {
		fmt.Println("the last event is", event)
		return event < 2 // continue until event 2
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: the last event is 2
}

// Export results as a table, for R or a spreadsheet.
func ExampleCampaign_ExportCSV() {
	c, end := begun()
	defer end()
	if _, err := c.Tell([]campaign.Result{{ID: "page 12", Arm: "A07", Values: []float64{71.2}}}, "Ada"); err != nil {
		log.Fatal(err)
	}
	var table bytes.Buffer
	if err := c.ExportCSV(&table); err != nil {
		log.Fatal(err)
	}
	head, _, _ := bytes.Cut(table.Bytes(), []byte("\n"))
	os.Stdout.Write(head)
	// Output: event,at,who,plate,ticket,id,candidate,state,yield,note,campaign
}

// A certificate can be checked without this program; each line is JSON.
func ExampleCampaign_Certificate() {
	c, end := begun()
	defer end()
	if _, err := c.Tell([]campaign.Result{{ID: "page 12", Arm: "A07", Values: []float64{71.2}}}, "Ada"); err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.Certificate(&b); err != nil {
		log.Fatal(err)
	}
	for line := range bytes.Lines(b.Bytes()) {
		var l struct{ Format, What, Part, Arm, Class string }
		if err := json.Unmarshal(line, &l); err != nil {
			log.Fatal(err)
		}
		fmt.Println(strings.TrimSpace(l.Format + l.What + l.Part + " " + l.Arm + " " + l.Class))
	}
	// Output:
	// purexp certificate
	// problem
	// tell
	// statement
	// claim A07 undecided
	// claim B02 undecided
	// claim C11 undecided
	// monitors
	// end
}

// Sign the status of a campaign; later results would make the signature stale.
func ExampleCampaign_Sign() {
	c, end := begun()
	defer end()
	if err := c.Sign("Grace Hopper", "statistician", "Ada"); err != nil {
		log.Fatal(err)
	}
	s, err := c.Status()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Signatures[0].Name, "saw:", s.Signatures[0].Saw)
	fmt.Println("stale:", s.Signatures[0].Stale)
	// Output:
	// Grace Hopper saw: Started: 3 candidates, nothing measured yet.
	// stale: false
}

// Record who agreed to a change; with a frozen protocol, changes after the end of the campaign require this person's
// name.
func ExampleCampaign_DropWith() {
	c, end := begun()
	defer end()
	if err := c.DropWith("C11", campaign.Consent{Why: "sold out", By: "Grace"}, "Ada"); err != nil {
		log.Fatal(err)
	}
	list, err := c.Events(1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list[0].Text)
	// Output: C11 is not available: sold out (agreed by Grace)
}

// Sign the findings up to the last event that a person has seen; SignSeen fails if there are later events.
func ExampleCampaign_SignSeen() {
	c, end := begun()
	defer end()
	seen, err := c.Status()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Ask(1, "robot-1"); err != nil {
		log.Fatal(err)
	}
	err = c.SignSeen(seen.Event, "Grace Hopper", "statistician", "Ada")
	fmt.Println(errors.Is(err, campaign.ErrConflict))
	now, err := c.Status()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.SignSeen(now.Event, "Grace Hopper", "statistician", "Ada"))
	// Output:
	// true
	// <nil>
}
