package campaign_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/purexp/purexp/pkg/campaign"
)

// Send a plate to the laboratory, and report the filled-in worksheet.
func ExampleCampaign_TellSheet() {
	c, end := begun()
	defer end()
	plate, err := c.Ask(3, "robot-1")
	if err != nil {
		log.Fatal(err)
	}
	p, err := c.Problem()
	if err != nil {
		log.Fatal(err)
	}
	var sheet bytes.Buffer
	if err := campaign.WriteSheet(&sheet, p, plate); err != nil {
		log.Fatal(err)
	}
	fmt.Print(&sheet)

	// A person fills in the measured values.
	filled := strings.NewReplacer("A07,,", "A07,71.2,", "B02,,", "B02,failed,").
		Replace(sheet.String())
	r, err := c.TellSheet("plate-1.csv", []byte(filled), "robot-1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Used, "used,", r.Failed, "failed")
	// Output:
	// plate,ticket,candidate,yield,note
	// 1,1,A07,,
	// 1,2,B02,,
	// 1,3,C11,,
	// 1 used, 1 failed
}

// Write the worksheet of one requested measurement.
func ExampleWriteSheet() {
	err := campaign.WriteSheet(os.Stdout, yields(), []campaign.Ticket{{Ticket: 7, Plate: 2, Arm: "C11"}})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// plate,ticket,candidate,yield,note
	// 2,7,C11,,
}

// A program that does not know whether its request arrived repeats the request with the same key.
func ExampleCampaign_AskOnce() {
	c, end := begun()
	defer end()
	for range 2 {
		plate, err := c.AskOnce("monday, first plate", 2, "robot-1")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(plate[0].Ticket, plate[1].Ticket)
	}
	// Output:
	// 1 2
	// 1 2
}

// A plate was dropped on the floor: its tickets get no results, and the campaign continues.
func ExampleCampaign_GiveUp() {
	c, end := begun()
	defer end()
	if _, err := c.Ask(3, "robot-1"); err != nil {
		log.Fatal(err)
	}
	r, err := c.GiveUp([]int{1, 2, 3}, "dropped on the floor", "Ada")
	if err != nil {
		log.Fatal(err)
	}
	lost, err := c.Tickets(campaign.Failed)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Failed, "failed,", len(lost), "tickets; the campaign is", r.Status)
	// Output: 3 failed, 3 tickets; the campaign is running
}

// Request and report measurements until there is an answer.
func ExampleCampaign_Answer() {
	c, end := begun()
	defer end()
	yield := map[string]float64{"A07": 71, "B02": 60, "C11": 65} // the yields that a laboratory would measure
	for {
		plate, err := c.Ask(8, "robot-1")
		if err != nil {
			log.Fatal(err)
		}
		if len(plate) == 0 {
			break
		}
		var results []campaign.Result
		for _, t := range plate {
			results = append(results, campaign.Result{Ticket: t.Ticket, Values: []float64{yield[t.Arm]}})
		}
		if _, err := c.Tell(results, "robot-1"); err != nil {
			log.Fatal(err)
		}
	}
	best, final, err := c.Answer()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(best, final)
	// Output: [A07] true
}

// Print the estimates with intervals, and the assumptions of the answer.
func ExampleCampaign_Status() {
	c, end := begun()
	defer end()
	// A person chooses measurements, and announces them before they are made.
	tickets, err := c.Announce("", []string{"A07"}, "Ada")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Tell([]campaign.Result{{Ticket: tickets[0].Ticket, Values: []float64{71.2}}}, "Ada"); err != nil {
		log.Fatal(err)
	}
	s, err := c.Status()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Headline)
	a := s.Arms[0]
	fmt.Printf("%s: %.1f in %.0f to %.0f, %s\n", a.Arm, a.Estimate[0], a.Low[0], a.High[0], a.Verdict)
	// Output:
	// Running: 1 measurement, no answer yet; there is no best guess before all candidates are measured (2 missing).
	// A07: 71.2 in 60 to 82, undecided
}

// Print the results as policies receive them: a reward is 0 at a yield of 50 %, and its unit is the noise, 2 %.
func ExampleCampaign_Rewards() {
	c, end := begun()
	defer end()
	if _, err := c.Tell([]campaign.Result{{ID: "1", Arm: "B02", Values: []float64{54}},
		{ID: "2", Arm: "B02", Values: []float64{58}}}, "Ada"); err != nil {
		log.Fatal(err)
	}
	batches, err := c.Rewards()
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range batches {
		fmt.Println("candidate", b.Arm, b.N, b.Sum, b.Squares)
	}
	// Output: candidate 1 2 [6] [20]
}

func ExampleResult_Fill() {
	var r campaign.Result
	fmt.Println(r.Fill(yields(), map[string]string{"yield": "71.2 %"}), r.Values)
	fmt.Println(r.Fill(yields(), map[string]string{"yield": "71,2"}))
	fmt.Println(r.Fill(yields(), map[string]string{"yeild": "71.2"}))
	// Output:
	// <nil> [71.2]
	// yield: "71,2" is not a finite number; if the comma is a decimal comma, write 71.2
	// yeild: not a measured objective; expected one of yield
	// yield: the value is missing; give all values, or mark the result as failed
}

// A campaign reports requests beyond its budget.
func ExampleStatus_Excess() {
	for asked, status := range map[int]string{24: campaign.Running, 25: campaign.Finished, 30: campaign.Running} {
		s := campaign.Status{Status: status, Affordable: 25, Asked: asked}
		fmt.Print(s.Excess())
	}
	// Output: 25 measurements can be afforded (laboratory.measurements), but 30 were requested, 5 too many.
}
