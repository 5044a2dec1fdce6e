// Command mutants shows that the tests can fail: it plants one fault after the
// other in a copy of the tree, runs the tests of the packages concerned, and
// prints which of them die. It exits with 1 if a fault survives.
//
//	go run ./pkg/policytest/mutants           # all faults, a few minutes
//	go run ./pkg/policytest/mutants radius    # those whose name or file says so
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/tidy"
)

// A mutant replaces the first occurrence of old in file by new.
type mutant struct{ name, file, old, new string }

// mutants are the faults that a wrong constant, index or count would be.
var mutants = []mutant{
	{"radius 10 times too small", "pkg/radius/radius.go", "return b.sigma / math.Sqrt(float64(n)) }", "return 0.1 * b.sigma / math.Sqrt(float64(n)) }"},
	{"Kaufmann-Koolen radius 10 times too small", "pkg/radius/kaufmannkoolen.go", "return 2 * b.sigma *", "return 0.2 * b.sigma *"},
	{"a forgotten union bound over arms and objectives", "pkg/radius/radius.go", "math.Log(4 * k1 * k * d / p.Delta)", "math.Log(4 * k1 / p.Delta)"},
	{"a forgotten union bound over pairs", "pkg/radius/kaufmannkoolen.go", "math.Log(k*(k-1)*d/p.Delta)", "math.Log(1/p.Delta)"},
	{"a forgotten factor of the norm's radius", "pkg/radius/radius.go", "return pair, 2 * math.Sqrt(b.logG+lt)", "return pair, math.Sqrt(b.logG+lt)"},
	{"time missing from the radius", "pkg/radius/radius.go", "lt := b.alpha * math.Log(float64(t))", "lt := b.alpha * math.Log(1+0*float64(t))"},
	{"front off by one", "pkg/policy/internal/arms/estimates.go", "for q, j := range set {", "for q, j := range set[:max(1, len(set)-1)] {"},
	{"equal arms eliminate each other", "pkg/policy/internal/arms/estimates.go", "e.Excess[j*e.K+i] > 0", "e.Excess[j*e.K+i] >= 0"},
	{"racing: elimination off by one", "pkg/policy/racing.go", "for _, j := range p.active {\n\t\t\tif j != i && p.certain(j, true) {", "for _, j := range p.active[1:] {\n\t\t\tif j != i && p.certain(j, true) {"},
	{"racing: dominators need not be feasible", "pkg/policy/racing.go", "if j != i && p.certain(j, true) {", "if j != i {"},
	{"racing: a needed dominator leaves", "pkg/policy/racing.go", "&& c.NotDominated(j, i) > 0)", ")"},
	{"e-cAPE: one pull too many", "pkg/policy/ecape.go", "dst = append(dst, explore.Pull{Arm: b, N: 1})", "dst = append(dst, explore.Pull{Arm: b, N: 2})"},
	{"e-cAPE: no challenger", "pkg/policy/ecape.go", "if r := c.Rival(b, c.Possible); r >= 0 {", "if r := c.Rival(b, c.Possible); r >= 1000 {"},
	{"uniform: one pull too many", "pkg/policy/internal/arms/pulls.go", "dst = append(dst, explore.Pull{Arm: i, N: 1})", "dst = append(dst, explore.Pull{Arm: i, N: 1 + i&1})"},
	{"stops without looking at feasibility", "pkg/policy/internal/constrained/state.go", "if c.status[i] < z1f {", "if c.status[i] < z1f && false {"},
	{"stops without comparing the front's members", "pkg/policy/internal/constrained/state.go", "i, j); m < z1ps {", "i, j); m < z1ps-1 {"},
	{"infeasible arms are left out as dominators too early", "pkg/policy/internal/constrained/state.go", "} else if c.Gammas[i] < 0 {", "} else if c.Gammas[i] < -1 {"},
	{"evidence with the wrong sign", "pkg/policy/internal/constrained/feasibility.go", "f.eta[i]*f.eta[i] - u*u", "f.eta[i]*f.eta[i] + u*u"},
	{"two stages: delta is not split", "pkg/policy/twostage.go", "delta /= 2", "delta /= 1"},
	{"MD-APT: stops one arm early", "pkg/policy/internal/constrained/observe.go", "for i, g := range c.Gammas {", "for i, g := range c.Gammas[:max(1, len(c.Gammas)-1)] {"},
	{"APE: relaxation with the wrong sign", "pkg/policy/internal/pareto/search.go", "m-e.Factor*w+eps <= 0", "m-e.Factor*w-eps <= 0"},
	{"APE: dominated arms are not waited for", "pkg/policy/internal/pareto/search.go", "(a.inS(i) || a.g(i, 0) < 0)", "a.inS(i)"},
	{"APE: a pulled arm's certainty is not doubted", "pkg/policy/internal/pareto/search.go", "u -= a.drift(i)", "_ = a.drift(i)"},
	{"APE: a witness outlives its pulls", "pkg/policy/internal/pareto/search.go", "(fresh[i] || fresh[j]) && !a.estimates.Below(i, j)", "fresh[i] && !a.estimates.Below(i, j)"},
	{"GEGE: the arms with the largest gaps stay", "pkg/policy/internal/pareto/outputs.go", "c != 0 {\n\t\treturn c\n\t}\n\tif o.InS", "c != 0 {\n\t\treturn -c\n\t}\n\tif o.InS"},
	{"GEGE: a round too expensive", "pkg/policy/gegebudget.go", "p.stages.Spend(p.Budget / p.rounds)", "p.stages.Spend((p.Budget + p.rounds - 1) / p.rounds)"},
	{"GEGE: accepts optimal arms too early", "pkg/policy/gegeconfidence.go", "o.Gap[i] >= eps:", "o.Gap[i] >= eps/2:"},
	{"GEGE: rounds 16 times too short", "pkg/policy/gegeconfidence.go", "n = 32 * (sigma / eps) * (sigma / eps) * h * math.Log(2*events/delta)", "n = 2 * (sigma / eps) * (sigma / eps) * h * math.Log(2*events/delta)"},
	{"gaps: the wrong index", "pkg/pareto/gaps.go", "v := max(excess(p, q), 0) + da; v < gap[b]", "v := max(excess(p, q), 0) + 0*da; v < gap[b]"},
	{"EGE-SH: ceilings that overspend", "pkg/policy/egesh.go", "p.Budget/(len(p.outputs.Active)*p.rounds))", "p.Budget/(len(p.outputs.Active)*p.rounds)+1)"},
	{"session: pulls are not counted", "pkg/explore/session.go", "s.total += s.asked", "s.total += 1"},
	{"session: a round too many", "pkg/explore/session.go", "s.rounds >= s.set.MaxRounds", "s.rounds > s.set.MaxRounds"},
	{"question: infeasible arms count as dominated", "pkg/question/feasiblepareto.go", "ok = t.SubOpt[i]", "ok = true"},
	{"complexity: demands are ignored", "pkg/question/complexity/cstar.go", "g.add(b, x, math.Inf(1))", "g.add(b, x, 0)"},

	{"uniform: stops while an arm is in doubt", "pkg/policy/uniform.go", "p.state.Check() < 0 {", "p.state.Check() < 1 {"},
	{"MD-APT: says more than it knows", "pkg/policy/mdapt.go", "case c.Gammas[i] <= 0:", "case c.Gammas[i] <= -1e9:"},
	{"APE: time missing from the radius", "pkg/policy/ape.go", "Factors(p.estimates.Pulls)", "Factors(1)"},
	{"EGE-SR: stages too short", "pkg/policy/egesr.go", "float64(k+1-p.stage)", "float64(k+2-p.stage)"},
	{"EGE-SR: one pull more of the first arms", "pkg/policy/egesr.go", "p.outputs.Each(dst, p.number()-p.before)", "p.outputs.Each(dst, p.number()-p.before+1)"},
	{"uniform budget: a remainder that overspends", "pkg/policy/uniformbudget.go", "i < p.Budget%k", "i <= p.Budget%k"},
	{"Auer racing: drops arms too early", "pkg/policy/auerracing.go", "case d > p.wide:", "case d > p.wide/4:"},
	{"Auer racing: a needed dominator leaves", "pkg/policy/auerracing.go", "p.p1[j] && !p.needed(j)", "p.p1[j]"},
	{"race: drops arms too early", "pkg/policy/internal/pareto/race.go", "- b - beta[j]; v > most", "- b; v > most"},
	{"race: a needed dominator leaves", "pkg/policy/internal/pareto/race.go", "!r.open[j] && !r.needed(j, row, beta, eps)", "!r.open[j]"},
	{"PFIwR: the regulariser without p", "pkg/policy/pfiwr.go", "reg = p.c.P * p.c.Lambda(p.t)", "reg = p.c.Lambda(p.t)"},
	{"PFIwR: the contexts of the round are not in the averages", "pkg/policy/pfiwr.go", "floats.Add(p.sums, p.x.RawMatrix().Data)", "floats.Add(p.sums, make([]float64, len(p.sums)))"},
	{"PFIwR: a forgotten union bound over objectives", "pkg/policy/pfiwr.go", "2*math.Log(float64(c.Objectives)/delta)", "2*math.Log(1/delta)"},
	{"Sparing: drops arms too early", "pkg/policy/sparing.go", "-m-beta > most", "-m-beta/4 > most"},
	{"Sparing: stops too early", "pkg/policy/sparing.go", "p.closest(i).Margin+p.eps {", "2*p.closest(i).Margin+p.eps {"},
	{"ridge: rewards without weight", "pkg/lsq/ridge.go", "b[i] += y * v", "b[i] += 2 * y * v"},
	{"doubly robust: pseudo-actions without weight", "pkg/lsq/doublyrobust.go", "to[i] /= -r.p", "to[i] /= -1"},
	{"contexts: asked before they are seen", "pkg/explore/session.go", "if err := s.missing(); err != nil {", "if err := s.missing(); err != nil && false {"},
	{"contexts: those of rounds that are over are forgotten", "pkg/explore/context.go", "c.seen = append(c.seen, mat.DenseCopyOf(x))", "c.seen = append(c.seen, mat.NewDense(1, 1, nil))"},
	{"contexts: rewards of others than those seen", "pkg/bandit/context.go", "s.x[arm*h:][:h], s.drawn[arm]", "s.x[:h], s.drawn[arm]"},
	{"regret: off by one pull", "pkg/bandit/regret.go", "float64(r.at[n]-r.pulls)", "float64(r.at[n]-r.pulls-1)"},
	{"regret: rows compared the wrong way", "pkg/pareto/regret.go", "Deficit(x.row(k), x.row(j))", "Deficit(x.row(j), x.row(k))"},
	{"PAL: boxes ten times too small", "pkg/policy/pal.go", "p.beta[i] = wide *", "p.beta[i] = 0.1 * wide *"},
	{"PAL: the smallest box is pulled", "pkg/policy/pal.go", "if s > most {", "if arm < 0 || s < most {"},
	{"PFIwR: half-widths without their first term", "pkg/policy/pfiwr.go", "return (8*c.Norm*", "return (0*c.Norm*"},
	{"PSIPS: samples too close to the estimate", "pkg/policy/psips.go", "p.posterior.Draw(p.sample, scale, p.rnd)", "p.posterior.Draw(p.sample, scale/10, p.rnd)"},
	{"PSIPS: too few samples", "pkg/policy/psips.go", "if p.over = !p.alternative(samples, inflate); p.over {", "if p.over = !p.alternative(1, inflate+0*float64(samples)); p.over {"},

	// Constrained Pareto sets.
	{"best response: members never leave the region", "pkg/question/alternative/region.go", "f.depth[q] * f.depth[q]; c < r.best {", "f.depth[q] * f.depth[q]; c < r.best-1e9 {"},
	{"best response: slack in reward units", "pkg/question/alternative/region.go", "a[j] = v / size * r.scale[j]", "a[j] = v / size"},
	{"best response: an entering arm need not be feasible", "pkg/question/alternative/project.go", "if f.contains(x) {", "if f.contains(x) || true {"},
	{"active set: rows stay whose multiplier would be negative", "pkg/internal/activeset/projector.go", "if rj > 0 && w.U[j] < t*rj {", "if rj > 0 && w.U[j] < t*rj && false {"},
	{"simplex: of two ratios the larger one leaves", "pkg/internal/simplex/basis.go", "case leave < 0 || ratio < step-tie:", "case leave < 0 || ratio > step+tie:"},
	{"reasons: dominated is taken for outside", "pkg/question/alternative/reasons.go", "r.as[q] = dominated", "r.as[q] = outside"},
	{"reasons: one way of deciding is left out", "pkg/question/complexity/explanation.go", "[]explore.Class{full[arm], second}", "[]explore.Class{full[arm], second}[:1]"},
	{"Game-cPSI: the bonus as printed", "pkg/policy/gamecpsi.go", "p.bonus *= 2", "p.bonus *= 1"},
	{"track-and-stop: descends", "pkg/policy/paretotrackandstop.go", "floats.AddScaled(p.log, eta, p.grad)", "floats.AddScaled(p.log, -eta, p.grad)"},
	{"track-and-stop: no forced pulls", "pkg/policy/paretotrackandstop.go", "p.n[p.next] > math.Sqrt(t)", "p.n[p.next] > 0*math.Sqrt(t)"},
	{"set ratio: without its half", "pkg/policy/setratio.go", "p.response.Cost(nil, p.n)/s2", "2*p.response.Cost(nil, p.n)/s2"},
	{"Game-cPSI: displacements without their factor", "pkg/policy/gamecpsi.go", "math.Sqrt(2*g)/p.sigma", "math.Sqrt(g)/p.sigma"},
	{"patience: rounds that are long too early", "pkg/policy/internal/patience/patience.go", "Long = 1 << 20", "Long = 1 << 8"},
	{"patience: of two items the farther one is named", "pkg/policy/internal/patience/patience.go", "x = math.Abs(x) + radius; x < least", "x = math.Abs(x) - radius; x < least"},
	{"threshold: half of the iterated logarithms", "pkg/policy/mixturemartingales.go", "return 2 * m * math.Log(4+log)", "return m * math.Log(4+log)"},
	{"TF-LUCB: delta is not split", "pkg/policy/tflucb.go", "arms.Bind(r, prob, delta/2)", "arms.Bind(r, prob, delta)"},
	{"TF-LUCB: infeasible arms are taken for the best", "pkg/policy/tflucb.go", "		if !in {\n			continue", "		if !in && false {\n			continue"},
	{"constrained top-two: no price for pulls", "pkg/policy/constrainedtoptwo.go", "v := p.cost[j]/s2 + log; v < least", "v := p.cost[j] / s2; v < least"},
	{"constrained top-two: a forgotten union bound", "pkg/policy/constrainedtoptwo.go", "delta / float64(s.K*(s.K+1)/2)", "delta"},
	{"constrained top-two: the leader's feasibility is not looked at", "pkg/policy/constrainedtoptwo.go", "if p.leader < 0 || j == p.leader {", "if j == p.leader && p.leader >= 0 {\n		return true\n	}\n	if p.leader < 0 {"},

	// Linear models.
	{"RAGE: accuracy without the square", "pkg/policy/rage.go", "(p.accuracy*p.accuracy), eps)", "p.accuracy, eps)"},
	{"RAGE: no union bound", "pkg/policy/rage.go", "2*math.Log(float64(n)) - math.Log(", "0*math.Log(float64(n)) - math.Log("},
	{"RAGE: levels that do not sum to delta", "pkg/policy/rage.go", "return delta / float64(t*(t+1))", "return delta / float64(t)"},
	{"RAGE: half-widths for unit noise", "pkg/policy/rage.go", "p.phases.Model.Sigma*math.Sqrt(2*p.logN)", "math.Sqrt(2*p.logN)"},
	{"RAGE: the first round in reward units", "pkg/policy/rage.go", "p.accuracy = math.Sqrt(unit / float64(p.phases.Least(eps)))", "p.accuracy = .5 / p.phases.Model.Sigma"},
	{"RAGE: the first accuracy as printed is another", "pkg/policy/rage.go", "RAGEFirstPaper = .5", "RAGEFirstPaper = .25"},
	{"RAGE: accuracies do not halve", "pkg/policy/rage.go", "p.accuracy /= 2", "p.accuracy /= 1.5"},
	{"RAGE: another union than printed", "pkg/policy/rage.go", "Union: PhaseUnionAll, Design: design.FrankWolfePaper,", "Union: PhaseUnionAll,"},
	{"survivors: half of the half-width", "pkg/policy/internal/linear/survivors.go", "gap*gap > width*width*s.Squared(i, j)", "4*gap*gap > width*width*s.Squared(i, j)"},
	{"survivors: over without a look at the half-width", "pkg/policy/internal/linear/survivors.go", "s.Mean[i]-s.Mean[s.best]+s.radius(i, s.best) > s.Epsilon", "s.Mean[i]-s.Mean[s.best] > s.Epsilon"},
	{"survivors: rewards of earlier phases stay", "pkg/policy/internal/linear/survivors.go", "\ts.fit.Reset()\n", ""},
	{"survivors: what cannot be seen counts as equal", "pkg/policy/internal/linear/model.go", "outside(y) > 1e-6", "outside(y) > 1e6"},
	{"linear: rounding is taken for a direction", "pkg/policy/internal/linear/model.go", "<= 1e-14*max(", "< 0*max("},
	{"linear: one item of a class is the answer", "pkg/policy/internal/linear/model.go", "if member(c) {", "if member(c) && a.Items == nil {"},
	{"static: levels whose sum is infinite", "pkg/policy/internal/linear/static.go", "math.Log(2*t*t*p.pairs/p.delta)", "math.Log(2*t*p.pairs/p.delta)"},
	{"static: earlier pulls are forgotten", "pkg/policy/internal/linear/static.go", "Ceil(p.target*w) - p.pulled[i]", "Ceil(p.target * w)"},
	{"XY-static: union over items, not pairs", "pkg/policy/xystatic.go", "1.35, n*n, c,", "1.35, n, c,"},
	{"G-allocation: union over items, not pairs", "pkg/policy/gallocation.go", "1.35, n*n, c,", "1.35, n, c,"},
	{"XY-oracle: no union bound", "pkg/policy/xyoracle.go", "p.Test.growth(), float64(l.N), c,", "p.Test.growth(), 1, c,"},
	{"XY-oracle: half of the price of a likelihood ratio", "pkg/policy/xyoracle.go", "gap/2 - v", "gap/4 - v"},
	{"XY-oracle: a likelihood ratio of the root of 1/delta", "pkg/policy/xyoracle.go", "v*math.Log(delta)/gap", "v*math.Log(delta)/(2*gap)"},
	{"XY-oracle: phases that grow as printed", "pkg/policy/xyoracle.go", "return 1.01", "return 1.3"},
	{"XY-oracle: printed with the test by likelihood ratios", "pkg/policy/xyoracle.go", "Test: XYOracleUnion, Draw", "Draw"},
	{"static: draws that are not those of the design", "pkg/policy/internal/linear/pulls.go", "P: q, Src: rnd}", "P: q / 2, Src: rnd}"},
	{"XY-oracle: slack for what is costly", "pkg/policy/xyoracleslack.go", "(slack-1)*(1-weight[j])", "(slack-1)*weight[j]"},
	{"XY-oracle: tests reach their level too soon", "pkg/policy/xyoracleslack.go", "inverseGaussian(step*t*most/v, 2*a, a*a)", "inverseGaussian(step*t*most/v, a, a*a)"},
	{"XY-oracle: lambda* whatever the slack", "pkg/policy/xyoracle.go", "delta, p.slack(), o)", "delta, 1, o)"},
	{"XY-adaptive: half-widths too small", "pkg/policy/xyadaptive.go", "n*n/(6*p.delta)", "n/(6*p.delta)"},
	{"XY-adaptive: the first phase is too short", "pkg/policy/xyadaptive.go", "p.alpha() / (m*(m+1) + 1)", "p.alpha() / (m + 1)"},
	{"XY-adaptive: a first target of its own", "pkg/policy/xyadaptive.go", "xyAdaptiveFirst = .2", "xyAdaptiveFirst = .1"},
	{"XY-adaptive: the first target stated is not taken", "pkg/policy/xyadaptive.go", "p.target = p.First", "p.target = 2 * p.First"},
	{"XY-adaptive: released phases are not divided by their pulls", "pkg/policy/xyadaptive.go", "perPull := p.Phases == XYAdaptiveReleased", "perPull := false"},
	{"greedy: released phases are not divided by their pulls", "pkg/policy/internal/linear/greedy.go", "reached /= float64(Total(g.counts))", "reached /= 1"},
	{"greedy: leverage without the one", "pkg/policy/internal/linear/greedy.go", "g.lever[k] = 1 + floats.Dot(", "g.lever[k] = 1e-9 + floats.Dot("},
	{"greedy: an arm that is nearly best", "pkg/policy/internal/linear/greedy.go", "worst < least*(1-tie)", "worst < least*.98"},
	{"ALBA: steps a quarter as long", "pkg/policy/alba.go", "p.length = 4 * c0", "p.length = c0"},
	{"ALBA: a step's share of delta is the phase's", "pkg/policy/alba.go", "share * deltaR / float64(p.u*p.u)", "deltaR"},
	{"ALBA: accuracy of a later step", "pkg/policy/alba.go", "2*math.Pow(1.1, -float64(p.u))", "math.Ldexp(1, -p.u)"},
	{"ALBA: the length of features is ignored", "pkg/policy/alba.go", "p.norm *= p.longest / p.model.Sigma", "p.norm /= p.model.Sigma"},
	{"ALBA: public widths for the active rank", "pkg/policy/alba.go", "return float64(p.model.Rank)", "return float64(p.m)"},
	{"halving: the worst stay", "pkg/policy/internal/linear/halving.go", "p.Survivors.Keep(p.Survivors.Order[:n])", "p.Survivors.Keep(p.Survivors.Order[len(p.Survivors.Order)-n:])"},
	{"LinFACT: no union bound", "pkg/policy/linfact.go", "math.Log(2*p.arms*(p.arms-1)) + r.Share", "math.Log(2) + r.Share"},
	{"LinFACT: means count as differences", "pkg/policy/linfact.go", "radius := math.Ldexp(2, -p.rounds.Round)", "radius := math.Ldexp(1, -p.rounds.Round)"},
	{"LinFACT-MIS: the arm's own deviation is left out", "pkg/policy/linfactmis.go", "switch own := 1.; p.Radius {", "switch own := 0.; p.Radius {"},
	{"LinFACT-MIS: deviations of the estimate are left out", "pkg/policy/linfactmis.go", "p.Deviation * (root + own)", "p.Deviation * (0*root + own)"},
	{"LinFACT-GLM: the slope without its square", "pkg/policy/linfactglm.go", "(acc * acc) * log)", "acc * log)"},
	{"orthogonal parameterisation: deviations of any size", "pkg/policy/internal/linear/deviation.go", "d = min(max(d, -bound), bound)", "d = min(max(d, -9*bound), 9*bound)"},
	{"LinGIFA: the best rival instead of the m-th", "pkg/policy/lingifa.go", "t.index[j] = t.top[m-1] - mean[j]", "t.index[j] = t.top[0] - mean[j]"},
	{"LinGIFA: b is the best of J", "pkg/policy/lingifa.go", "if t.index[j] > t.index[b] {", "if t.index[j] < t.index[b] {"},
	{"m-LinGapE: J has the worst arms", "pkg/policy/mlingape.go", "return -t.belief.Mean[i]", "return t.belief.Mean[i]"},
	{"top m: half-widths too small", "pkg/policy/topm.go", "p.width = p.model.Sigma * math.Sqrt(2*p.beta.Beta(e))", "p.width = .2 * p.model.Sigma * math.Sqrt(2*p.beta.Beta(e))"},
	{"Lazy TTS for thresholds: half of the width", "pkg/policy/lazythreshold.go", "!(d*d > width*h)", "!(9*d*d > width*h)"},
	{"KGCB: the worst pull", "pkg/policy/kgcb.go", "scale); v > most {", "scale); v > most || b.next == 0 && k == 1 {"},
	{"BayesGap: the arm that is known better", "pkg/policy/bayesgap.go", "p.sd[j] > p.sd[leader]", "p.sd[j] < p.sd[leader]"},
	{"belief: a reward counts twice", "pkg/policy/internal/linear/belief.go", "q := 1 + n*b.col[arm]", "q := 1 + 2*n*b.col[arm]"},
	{"knowledge gradient: a line of the hull is lost", "pkg/policy/internal/linear/knowledge.go", "for _, side := range [2][2]int{{low, top}, {top, high}} {", "for _, side := range [2][2]int{{low, top}, {low, top}} {"},
	{"all-epsilon game: stops too early", "pkg/policy/allepsilongame.go", "(s.Sigma*s.Sigma) > beta; s.Over", "(s.Sigma*s.Sigma) > beta/9; s.Over"},
	{"all-epsilon game: weights are not those of the game", "pkg/policy/allepsilongame.go", "copy(p.weights, w)", ""},
	{"(ST)^2: what is uncertain is over", "pkg/policy/st2.go", "g.over = p.next[1] < 0 && p.next[2] < 0", "g.over = p.next[2] < 0"},
	{"FAREAST: the bad filter is as accurate as one mean", "pkg/policy/fareast.go", "behind >= radius {", "behind >= radius/8 {"},
	{"FAREAST: pulls of the bad filter without the square", "pkg/policy/fareast.go", "math.Ldexp(1, 2*p.phase) * log", "math.Ldexp(1, p.phase) * log"},
	{"EAST: kept arms leave too early", "pkg/policy/fareast.go", "f.high[i] < least) {", "f.Mean[i] < least) {"},
	{"good arms: half of the radius", "pkg/policy/goodarms.go", "r := f * g.bonus.Mean(n)", "r := .2 * f * g.bonus.Mean(n)"},
	{"all-epsilon track-and-stop: stops too early", "pkg/policy/allepsilontas.go", "p.gate.exceeds(0, ratio, e)", "p.gate.exceeds(0, 9*ratio, e)"},
	{"all-epsilon track-and-stop: weights are not those of the game", "pkg/policy/allepsilontas.go", "copy(p.weights, w)", ""},
	{"G-static: means count as differences", "pkg/policy/gstatic.go", "math.Ldexp(2, -p.rounds.Round)", "math.Ldexp(1, -p.rounds.Round)"},
	{"all epsilon-best: levels whose sum is infinite", "pkg/policy/internal/epsilonbest/rounds.go", "math.Log(n*(n+1)) - math.Log(delta)", "math.Log(n) - math.Log(delta)"},
	{"all epsilon-best: the best may be dropped", "pkg/policy/internal/epsilonbest/classifier.go", "&& gap >= radius {", "&& gap >= radius/4 {"},
	{"all epsilon-best: the threshold is off by a radius", "pkg/policy/internal/epsilonbest/classifier.go", "case gap > c.Epsilon+radius:", "case gap > c.Epsilon:"},
	{"OD-LinBAI: rounding up is not paid for", "pkg/policy/odlinbai.go", "spare := min(p.halving.Model.N, m*(m+1)/2)", "spare := 0"},
	{"OD-LinBAI: too few stay", "pkg/policy/odlinbai.go", "linear.CeilShift(p.halving.Model.Rank, p.halving.Stage)", "linear.CeilShift(p.halving.Model.Rank, p.halving.Stage+1)"},
	{"GSE: the whole budget in each stage", "pkg/policy/gse.go", "p.left / (p.stages - p.halving.Stage + 1)", "p.left"},
	{"GSE: too few stay", "pkg/policy/gse.go", "(len(p.halving.Survivors.Active) + p.eta - 1) / p.eta", "(len(p.halving.Survivors.Active) + p.eta) / (p.eta + 1)"},
	{"PEACE: the width need not shrink by half", "pkg/policy/peace.go", "d.Lower > p.design.Value/2", "d.Lower > p.design.Value*.9"},
	{"GSE: one in Eta, rounded down", "pkg/policy/gse.go", "Active) + p.eta - 1) / p.eta", "Active)) / p.eta"},
	{"PEACE: one item ends it early", "pkg/policy/peace.go", "max(keep, min(2, len(order)))", "keep"},
	{"PEACE: two items do not get what is left", "pkg/policy/peace.go", "p.epochs = p.halving.Stage + 1", "p.epochs += 0"},
	{"sequential: half-widths too small", "pkg/policy/internal/linear/sequential.go", "math.Sqrt(2*max(beta, 0))", "math.Sqrt(max(beta, 0))"},
	{"sequential: the start counts as evidence", "pkg/policy/internal/linear/sequential.go", "s.Fit.LogDet() - s.base", "s.Fit.LogDet()"},
	{"Lazy TTS: designs that long rounds do not advance", "pkg/policy/lazytts.go", "floats.AddScaled(p.designs, s.Due(), p.weights)", "floats.Add(p.designs, p.weights)"},
	{"FWS: directions that long rounds do not advance", "pkg/policy/fws.go", "p.slope[0]), s.Due())", "p.slope[0]), 1)"},
	{"LinGapE: bias without the weight", "pkg/policy/lingape.go", "bias := math.Sqrt(p.reg) * p.norm", "bias := p.norm"},
	{"LinGapE: determinant without the prior's", "pkg/policy/lingape.go", "2*union+s.Fit.LogDet()-m*math.Log(p.reg)", "2*union+s.Fit.LogDet()"},
	{"LinGapE: norm in other coordinates", "pkg/policy/internal/linear/sequential.go", "\tif reg > 0 {", "\tif reg > 1e300 {"},
	{"LinGapE: proportions upside down", "pkg/policy/lingape.go", "n[i] / r.weight[c]", "n[i] * r.weight[c]"},
	{"LinGapE: the rival is the worst", "pkg/policy/lingape.go", "mean[i] - mean[s.Best] + s.Width", "mean[s.Best] - mean[i] + s.Width"},
	{"LinGapE: each arm first by default", "pkg/policy/lingape.go", "p.reg, !p.EachArm)", "p.reg, p.EachArm)"},
	{"FWS: each arm first by default", "pkg/policy/fws.go", "prob, 0, !p.EachArm)", "prob, 0, p.EachArm)"},
	{"LinGame: answers with the farthest alternative", "pkg/policy/lingame.go", "cost := gap * gap / v; cost", "cost := v / (gap * gap); cost"},
	{"LinGame: pulls the arm that is ahead", "pkg/policy/internal/game/play.go", "d := n[k] - v; v > 0", "d := v - n[k]; v > 0"},
	{"AdaHedge: rate of the wrong size", "pkg/policy/internal/game/adahedge.go", "math.Log(float64(len(a.Weights))) / a.lag", "100 * math.Log(float64(len(a.Weights))) / a.lag"},
	{"Lazy TTS: directions are not scaled by gaps", "pkg/policy/lazytts.go", "floats.Scale(least/(top-v), row)", "floats.Scale(least/(top-0*v), row)"},
	{"Lazy TTS: no forced exploration", "pkg/policy/lazytts.go", "float64(s.Rank)); level > 1 {", "float64(s.Rank)); level > 1e9 {"},
	{"FWS: gradient without the covariance", "pkg/policy/fws.go", "fj * t * c * c / v[j]", "fj * t * c / v[j]"},
	{"FWS: the game with the wrong sign", "pkg/policy/fws.go", "p.f[r]-v)", "v-p.f[r])"},
	{"FWS: no forced exploration", "pkg/policy/fws.go", "tied || isSquare(s.Pulls/len(s.Start))", "tied"},
	{"threshold: half of the determinant", "pkg/policy/threshold.go", "+ logDet/2 +", "+ logDet/4 +"},
	{"threshold: the price of no prior is not paid", "pkg/policy/threshold.go", "float64(rank) / 2 * math.Log1p(1/u)", "float64(rank) / 2 * math.Log1p(u)"},
	{"tracker: batches count as one reward", "pkg/lsq/tracker.go", "blas64.Ger(-n/q,", "blas64.Ger(-1/q,"},
	{"tracker: the determinant is not followed", "pkg/lsq/tracker.go", "t.logDet += math.Log(q)", "t.logDet += 0 * q"},
	{"tracker: differences of close items blur", "pkg/lsq/tracker.go", "blurred = 1e-6", "blurred = -1"},
	{"span: any direction adds a dimension", "pkg/lsq/span.go", "RankTolerance*RankTolerance*largest", "1e-60*largest"},
	{"metric: singular within rounding is regular", "pkg/lsq/metric.go", "e.chol.Cond() < 1e13", "e.chol.Cond() < 1e300"},
	{"psi*: directions are not scaled by gaps", "pkg/question/complexity/psistar.go", "append(data, v/gap)", "append(data, v)"},
	{"psi*: half of the lower bound", "pkg/question/complexity/psistar.go", "return 2 * b.PaperLowerBound(delta)", "return b.PaperLowerBound(delta)"},
	{"best: the tolerance is ignored", "pkg/question/best.go", "mu.At(i, 0) < best-q.Epsilon", "mu.At(i, 0) < best"},
	{"G: points are deleted too early", "pkg/design/g.go", "e := max(0, value-m)\n", "e := max(0, value-m) / m\n"},
	{"G: the certificate is the value itself", "pkg/design/g.go", "Lower: float64(c.m)}", "Lower: s.value}"},
	{"G: a step of the wrong length", "pkg/design/g.go", "(d/rank-1)/(d-1)", "(d/rank-1)/(d+1)"},
	{"XY: a certificate that is too good", "pkg/design/saddle.go", "mean * mean / most", "1.01 * mean * mean / most"},
	{"critical: directions that matter are left out", "pkg/design/saddle.go", "if w >= 1e-3*top {", "if w >= .5*top {"},
	{"pairs: the diameter is pruned too early", "pkg/design/diameter.go", "f.r[a0] + f.r[b0]; apart*apart*(1+1e-12) < limit", "f.r[a0] + f.r[b0]; apart*apart*0.8 < limit"},
	{"Elfving: ends too early", "pkg/design/elfving.go", "most := -1, 1+priceLeast", "most := -1, 1.05+priceLeast"},
	{"rounding: takes from the wrong point", "pkg/design/round.go", "-float64(counts[b]-1) / p[b]", "-float64(counts[b]+1) / p[b]"},
	{"rounding: remainders in the wrong order", "pkg/design/round.go", "cmp.Compare(rest[j], rest[i])", "cmp.Compare(rest[i], rest[j])"},
	{"game: payoffs are not shifted back", "pkg/design/game.go", "return row, col, mat.Min(payoff)", "return row, col, mat.Max(payoff)"},
}

// tested are the packages whose tests are run.
var tested = []string{"./pkg/radius", "./pkg/explore", "./pkg/question/...", "./pkg/policy/...", "./pkg/design", "./pkg/lsq", "./pkg/pareto", "./pkg/internal/...", "./pkg/study/ecape"}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

func main() {
	root, err := module()
	if err == nil {
		err = run(root, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// module returns the root of the module.
func module() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}

func run(root string, only []string) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"pkg", "data", "docs"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))); err != nil {
			return err
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "README.md", "REFERENCES.bib"} {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o666)
		}
		if err != nil {
			return err
		}
	}
	var planted []mutant
	for _, m := range slices.Concat(mutants, claims) {
		if len(only) == 0 || slices.ContainsFunc(only, func(s string) bool { return strings.Contains(m.name+" "+m.file, s) }) {
			planted = append(planted, m)
		}
	}
	// Tests that fail in the copy as it is would seem to find every fault.
	sound := map[string]bool{}
	for _, m := range planted {
		suite := m.suite()
		if sound[strings.Join(suite, " ")] {
			continue
		}
		sound[strings.Join(suite, " ")] = true
		if tests, err := failures(dir, suite); err != nil {
			return err
		} else if len(tests) > 0 {
			return fmt.Errorf("tests fail without a fault: %s", strings.Join(tests, ", "))
		}
	}
	t := &tidy.Table{Title: "Planted faults", Columns: []tidy.Column{{Name: "fault"}, {Name: "file"}, {Name: "tests that die"}}}
	survivors := 0
	for _, m := range planted {
		tests, err := m.plant(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if len(tests) == 0 {
			survivors++
			tests = []string{"NONE"}
		}
		n := len(tests)
		if n > 4 {
			tests = append(tests[:4:4], fmt.Sprintf("and %d more", n-4))
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", m.name, strings.Join(tests, ", "))
		t.Rows = append(t.Rows, []any{m.name, m.file, strings.Join(tests, ", ")})
	}
	fmt.Println(t.Markdown())
	if survivors > 0 {
		return fmt.Errorf("%d faults survive", survivors)
	}
	return nil
}

// plant returns the tests that fail with the fault in place.
func (m mutant) plant(dir string) ([]string, error) {
	path := filepath.Join(dir, filepath.FromSlash(m.file))
	right, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	wrong := strings.Replace(string(right), m.old, m.new, 1)
	if wrong == string(right) {
		return nil, fmt.Errorf("%s has no %q", m.file, m.old)
	}
	if err := os.WriteFile(path, []byte(wrong), 0o666); err != nil {
		return nil, err
	}
	defer os.WriteFile(path, right, 0o666)
	return failures(dir, m.suite())
}

// failures runs a suite of the tests of the tree in dir and returns those that fail, without
// those whose subtests fail.
func failures(dir string, suite []string) ([]string, error) {
	cmd := exec.Command("go", append([]string{"test", "-timeout", "2m"}, suite...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil, nil
	}
	var tests []string
	for _, f := range failed.FindAllStringSubmatch(string(out), -1) {
		tests = append(tests, f[1])
	}
	tests = slices.DeleteFunc(tests, func(s string) bool {
		return slices.ContainsFunc(tests, func(o string) bool { return strings.HasPrefix(o, s+"/") })
	})
	if len(tests) == 0 && strings.Contains(string(out), "panic: test timed out") {
		tests = append(tests, "(no end)")
	}
	if len(tests) == 0 {
		return nil, fmt.Errorf("the tests did not run:\n%s", out)
	}
	slices.Sort(tests)
	return slices.Compact(tests), nil
}
