package policy_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// bestTea returns the teas with the question of which tea is best.
func bestTea() *bandit.Instance {
	inst := teas()
	inst.Problem.Question = question.Best{}
	return inst
}

// answer prints the answer of p on inst and its number of pulls.
func answer(inst *bandit.Instance, p explore.Policy) {
	result, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range result.Answer.Items {
		fmt.Println(inst.Problem.Item(i))
	}
	fmt.Println(result.Status, "after", result.Pulls, "pulls")
}

// Sample one design for the whole run, until the best item is known.
func ExampleXYStatic() {
	inst := whiskeys()
	answer(inst, &policy.XYStatic{Delta: 0.05})
	// Output:
	// peat
	// stopped after 476 pulls
}

// Compute designs for the items that are still undecided.
func ExampleXYAdaptive() {
	inst := whiskeys()
	answer(inst, &policy.XYAdaptive{Delta: 0.05})
	// Output:
	// peat
	// stopped after 1464 pulls
}

// Run a reference method with the design for the true means, which are unknown in practice.
func ExampleXYOracle() {
	inst := whiskeys()
	answer(inst, &policy.XYOracle{Delta: 0.05, Means: mat.Col(nil, 0, inst.Truth())})
	// Output:
	// peat
	// stopped after 59 pulls
}

// Use a design for the means of all arms instead of their differences.
func ExampleGAllocation() {
	inst := whiskeys()
	answer(inst, &policy.GAllocation{Delta: 0.05})
	// Output:
	// peat
	// stopped after 476 pulls
}

// Find the best of four teas, whose flavours are blends of two leaves.
func ExampleALBA() {
	inst := bestTea()
	answer(inst, &policy.ALBA{Delta: 0.05})
	// Output:
	// assam
	// stopped after 1260 pulls
}

// Guess the best tea with a budget of 400 cups.
func ExampleODLinBAI() {
	inst := bestTea()
	answer(inst, &policy.ODLinBAI{Budget: 400})
	// Output:
	// assam
	// stopped after 398 pulls
}

// Guess the best tea with a budget of 3,000 cups, by elimination with G-optimal designs.
func ExampleGSE() {
	inst := bestTea()
	answer(inst, &policy.GSE{Budget: 3000})
	// Output:
	// assam
	// stopped after 3000 pulls
}

// Find all teas within half a point of the best, with one design.
func ExampleGStatic() {
	inst := teas()
	answer(inst, &policy.GStatic{Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 2470 pulls
}

// List the teas whose estimates are within half a point of the best after 300 cups.
func ExampleBayesGap() {
	inst := teas()
	answer(inst, &policy.BayesGap{Budget: 300})
	// Output:
	// assam
	// breakfast
	// stopped after 300 pulls
}

// Find the two best teas.
func ExampleMLinGapE() {
	inst := teas()
	answer(inst, &policy.MLinGapE{M: 2, Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 49 pulls
}

// Find all teas within half a point of the best, without features.
func ExampleEAST() {
	inst := teas()
	answer(inst, &policy.EAST{Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 2623 pulls
}

// Find all teas within half a point of the best, in phases that sample all arms equally.
func ExampleFAREAST() {
	inst := teas()
	answer(inst, &policy.FAREAST{Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 7358 pulls
}

// Find all teas within half a point of the best, with proportions from the lower bound.
func ExampleAllEpsilonTrackAndStop() {
	inst := teas()
	answer(inst, &policy.AllEpsilonTrackAndStop{Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 4029 pulls
}

// show runs p on the vaccine trial with question q (nil means the trial's question) and prints the answer.
func show(p explore.Policy, q explore.Question) {
	trial, err := dataset.CovBoost{}.Instance()
	if err == nil && q != nil {
		trial, err = dataset.Ask(trial, q)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := explore.Run(p, trial.Problem, trial.Sampler(seed.New(1)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, "after", r.Pulls, "pulls")
	for _, i := range r.Answer.Items {
		fmt.Println(trial.Problem.Arm(i))
	}
	fmt.Println(len(r.Answer.Of(explore.Dominated)), "dominated,", len(r.Answer.Of(explore.Infeasible)), "infeasible")
}

func ExampleECAPE() {
	show(&policy.ECAPE{Delta: 0.1, Radius: radius.KaufmannKoolen{}}, nil)
	// Output:
	// stopped after 67774 pulls
	// BNT/BNT->m1273
	// ChAd/ChAd->m1273
	// 18 dominated, 0 infeasible
}

func ExampleTwoStage() {
	show(&policy.TwoStage{Delta: 0.1, Radius: radius.KaufmannKoolen{}}, nil)
	// Output:
	// stopped after 258313 pulls
	// BNT/BNT->m1273
	// ChAd/ChAd->m1273
	// 14 dominated, 4 infeasible
}

func ExampleConstrainedRacing() {
	show(&policy.ConstrainedRacing{Delta: 0.1, Radius: radius.KaufmannKoolen{}}, nil)
	// Output:
	// stopped after 67027 pulls
	// BNT/BNT->m1273
	// ChAd/ChAd->m1273
	// 17 dominated, 1 infeasible
}

func ExampleUniform() {
	show(&policy.Uniform{Delta: 0.1, Radius: radius.KaufmannKoolen{}}, nil)
	// Output:
	// stopped after 365780 pulls
	// BNT/BNT->m1273
	// ChAd/ChAd->m1273
	// 15 dominated, 3 infeasible
}

func ExampleMDAPT() {
	trial, err := dataset.CovBoost{}.Instance()
	if err != nil {
		fmt.Println(err)
		return
	}
	region := trial.Problem.Question.(question.FeasiblePareto).Region
	show(&policy.MDAPT{Delta: 0.1, Radius: radius.KaufmannKoolen{}}, question.Feasible{Region: region})
	// Output:
	// stopped after 189701 pulls
	// BNT/BNT->ChAd
	// BNT/BNT->NVX
	// BNT/BNT->NVX half
	// BNT/BNT->BNT
	// BNT/BNT->BNT half
	// BNT/BNT->VLA
	// BNT/BNT->Ad26
	// BNT/BNT->m1273
	// BNT/BNT->CVn
	// ChAd/ChAd->NVX
	// ChAd/ChAd->NVX half
	// ChAd/ChAd->BNT
	// ChAd/ChAd->BNT half
	// ChAd/ChAd->Ad26
	// ChAd/ChAd->m1273
	// ChAd/ChAd->CVn
	// 0 dominated, 4 infeasible
}

// Find the Pareto set up to 0.2 log units, without constraints.
func ExampleAPE() {
	show(&policy.APE{Delta: 0.1, Radius: radius.KaufmannKoolen{}}, question.Pareto{Epsilon: 0.2})
	// Output:
	// stopped after 46890 pulls
	// BNT/BNT->m1273
	// ChAd/ChAd->m1273
	// 18 dominated, 0 infeasible
}

// Find the Pareto set up to 0.2 log units by betting, in rounds.
func ExampleBettingPareto() {
	show(&policy.BettingPareto{Delta: 0.1}, question.Pareto{Epsilon: 0.2})
	// Output:
	// stopped after 10540 pulls
	// BNT/BNT->m1273
	// ChAd/ChAd->m1273
	// 18 dominated, 0 infeasible
}

// Answer the question of the e-cAPE example by betting, in rounds.
func ExampleBettingFeasible() {
	show(&policy.BettingFeasible{Delta: 0.1}, nil)
	// Output:
	// stopped after 11408 pulls
	// BNT/BNT->m1273
	// ChAd/ChAd->m1273
	// 17 dominated, 1 infeasible
}

// List the policies for the question of which items are feasible, with their sources.
func ExampleCatalogue() {
	for _, new := range policy.Catalogue() {
		card := new().Card()
		if card.Suits(question.Feasible{}) {
			fmt.Printf("%s (policy.%s), %s\n", card.Name, explore.TypeName(new()), card.Source)
		}
	}
	// Output:
	// MD-APT (policy.MDAPT), Katz-Samuels, Scott 2018, fixed-confidence form
	// Betting feasible Pareto (policy.BettingFeasible), this project, docs/betting.md, after Waudby-Smith, Ramdas 2024 and Cho, Gan, Kallus 2024
}
