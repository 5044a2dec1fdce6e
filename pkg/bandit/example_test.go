package bandit_test

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// best is the question for the arm with the largest mean.
type best struct{}

func (best) Correct(mu *mat.Dense, a explore.Answer) bool {
	for i := range mu.RawMatrix().Rows {
		if mu.At(i, 0) > mu.At(a.Items[0], 0) {
			return false
		}
	}
	return true
}

// Describe a trial of two treatments, of which the second is better.
func ExampleInstance() {
	law, err := bandit.NewGaussian(mat.NewDense(2, 1, []float64{0.4, 0.6}), mat.NewDiagDense(1, []float64{1}))
	if err != nil {
		fmt.Println(err)
		return
	}
	inst := &bandit.Instance{
		Name:    "two treatments",
		Problem: &explore.Problem{Arms: 2, Sigma: 0.5, Question: best{}},
		Law:     law,
		Notes:   []string{"The means are invented."},
	}
	if err := inst.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	obs, _ := inst.Sampler(seed.New(1)).Sample(nil, []explore.Pull{{Arm: 0, N: 10_000}, {Arm: 1, N: 10_000}})
	fmt.Println(obs[0].Sum[0] < obs[1].Sum[0])
	fmt.Println(inst.Problem.Question.Correct(inst.Truth(), explore.Answer{Items: []int{1}}))
	// Output:
	// true
	// true
}

// Two policies that pull in different orders see the same rewards of an arm.
func ExampleNewSampler() {
	law, _ := bandit.NewBernoulli(mat.NewDense(2, 1, []float64{0.5, 0.5}))
	pull := func(arms ...int) (rewards [2][]float64) {
		smp := bandit.NewSampler(law, seed.New(1).Child("replicate", 1))
		var obs []explore.Batch
		for _, arm := range arms {
			obs, _ = smp.Sample(obs[:0], []explore.Pull{{Arm: arm, N: 1}})
			rewards[arm] = append(rewards[arm], obs[0].Sum[0])
		}
		return rewards
	}
	fmt.Println(fmt.Sprint(pull(0, 1, 0, 1, 0, 1)) == fmt.Sprint(pull(1, 1, 1, 0, 0, 0)))
	// Output: true
}

func ExampleSampler_Reset() {
	law, _ := bandit.NewPoisson(mat.NewDense(1, 1, []float64{1000}))
	smp := bandit.NewSampler(law, seed.New(1))
	first, _ := smp.Sample(nil, []explore.Pull{{Arm: 0, N: 1}})
	smp.Reset(seed.New(1))
	again, _ := smp.Sample(nil, []explore.Pull{{Arm: 0, N: 1}})
	fmt.Println(first[0].Sum[0] == again[0].Sum[0])
	// Output: true
}

// Draw the sum of a million rewards at once. The sum is within 6 standard deviations of its mean.
func ExampleNewGaussian() {
	means := mat.NewDense(2, 2, []float64{
		0.2, 0.7,
		0.5, 0.5,
	})
	cov := mat.NewSymDense(2, []float64{
		1.0, 0.8,
		0.8, 1.0,
	})
	law, err := bandit.NewGaussian(means, cov)
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := make([]float64, 2)
	law.Sum(sum, 0, 1_000_000, rand.New(seed.New(1).Source()))
	fmt.Printf("%.1f %.1f\n", sum[0]/1e6, sum[1]/1e6)
	// Output:
	// 0.2 0.7
}

func ExampleNewBernoulli() {
	_, err := bandit.NewBernoulli(mat.NewDense(2, 1, []float64{0.5, 45}))
	fmt.Println(err)
	// Output:
	// bandit: the probability of arm 1, objective 0 (row 1, column 0) is 45; expected a number in [0, 1]
}

func ExampleNewPoisson() {
	law, err := bandit.NewPoisson(mat.NewDense(1, 2, []float64{3, 0}))
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := make([]float64, 2)
	law.Sum(sum, 0, 1_000_000, rand.New(seed.New(1).Source()))
	fmt.Printf("%.1f %v\n", sum[0]/1e6, sum[1])
	// Output: 3.0 0
}

// Each of four patients receives one of two doses. The outcomes of a patient stay together, so efficacy and
// safety of the second dose always sum to 1.
func ExampleNewResample() {
	patients := mat.NewDense(4, 2, []float64{
		0.1, 1.0,
		0.3, 0.8,
		0.9, 0.1,
		0.6, 0.4,
	})
	law, err := bandit.NewResample(patients, []int{0, 0, 1, 1}, bandit.Jointly)
	if err != nil {
		fmt.Println(err)
		return
	}
	reward := make([]float64, 2)
	law.Mean(reward, 1)
	fmt.Println(reward)
	law.Sum(reward, 1, 1, rand.New(seed.New(1).Source()))
	fmt.Println(reward[0]+reward[1] == 1)
	// Output:
	// [0.75 0.25]
	// true
}

func ExampleNewExact() {
	law, err := bandit.NewExact(mat.NewDense(1, 2, []float64{0.5, 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := make([]float64, 2)
	law.Sum(sum, 0, 4, nil)
	fmt.Println(sum)
	// Output: [2 8]
}

// Features change around their means, and rewards are linear in the features.
func ExampleNewContextual() {
	x := mat.NewDense(2, 2, []float64{1.5, 0, 0, 1}) // with spread 0.5, features have norms of at most 2
	law, err := bandit.NewContextual(x, mat.NewDense(2, 1, []float64{1, 2}), 0.5, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	inst := law.Instance("two features", best{})
	for _, n := range inst.Notes {
		fmt.Println(n)
	}
	fmt.Println("means:", inst.Means().RawMatrix().Data)

	smp := bandit.NewSampler(law, seed.New(1))
	today := mat.NewDense(2, 2, nil)
	smp.Contexts(today)
	obs, _ := smp.Sample(nil, []explore.Pull{{Arm: 1, N: 1}})
	fmt.Printf("%.3f = %.3f\n", obs[0].Sum[0], today.At(1, 0)*2+today.At(1, 1)*4)
	// Output:
	// features change from round to round, uniformly in balls of radius 0.25 around their means
	// features are divided by 2, so that none is longer than 1, and theta is multiplied by the same number
	// means: [1.5 2]
	// 1.939 = 1.939
}

// The recorder adds up the regret of a run that pulls suboptimal arms.
func ExampleNewRegret() {
	law, _ := bandit.NewExact(mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0.5, -0.25}))
	inst := &bandit.Instance{Name: "toy", Law: law}
	regret := bandit.NewRegret(inst, 10, 20)
	regret.Record(explore.Event{Obs: []explore.Batch{{Pull: explore.Pull{Arm: 2, N: 12}},
		{Pull: explore.Pull{Arm: 0, N: 100}}}})
	fmt.Println(regret.AppendSums(nil), regret.AppendInstant(nil), regret.Total())
	// Output: [2.5 3] [0.25 0] 3
}
