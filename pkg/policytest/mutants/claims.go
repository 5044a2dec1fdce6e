package main

import (
	"path"
	"strings"
)

// claims are the faults that a verdict on a claim of a paper can have: a comparison the wrong way
// round, the other end of an interval, the wrong sign, other rows than the claim is about, a verdict
// without evidence.
var claims = []mutant{
	// The rule.
	{"verdict: the nearer end decides", "pkg/study/word.go", "below(w.Lo, lo) && below(hi, w.Hi)", "below(w.Lo, hi) && below(lo, w.Hi)"},
	{"verdict: half of the interval is enough to agree", "pkg/study/word.go", "below(w.Lo, lo) && below(hi, w.Hi)", "below(w.Lo, lo)"},
	{"verdict: lack of evidence differs", "pkg/study/word.go", "\treturn NotComparable\n}\n\n// edge", "\treturn Differs\n}\n\n// edge"},
	{"verdict: lack of evidence agrees", "pkg/study/word.go", "\treturn NotComparable\n}\n\n// edge", "\treturn Agrees\n}\n\n// edge"},
	{"verdict: the swapped end refutes", "pkg/study/word.go", "!below(w.Lo, hi) || !below(lo, w.Hi)", "!below(w.Lo, lo) || !below(hi, w.Hi)"},
	{"verdict: strict words take the edge", "pkg/study/word.go", "a < b || a == b && !w.Strict", "a <= b"},
	{"verdict: one of all is enough", "pkg/study/judge.go", "func All(cs ...Condition) Verdict { return judge(cs, Differs) }", "func All(cs ...Condition) Verdict { return judge(cs, Agrees) }"},
	{"verdict: all of some are asked for", "pkg/study/judge.go", "func Any(cs ...Condition) Verdict { return judge(cs, Agrees) }", "func Any(cs ...Condition) Verdict { return judge(cs, Differs) }"},
	{"verdict: what is not clear is passed over", "pkg/study/judge.go", "case o == NotComparable && v.Outcome != decides:", "case false:"},
	{"verdict: many intervals, each at 95 %", "pkg/study/judge.go", "1 - (1-Confidence)/float64(len(cs))\n\tfor", "Confidence\n\tfor"},
	{"verdict: two replicates are evidence", "pkg/study/estimate.go", "const fewest = 10", "const fewest = 2"},
	{"verdict: the condition is not looked at", "pkg/study/judge.go", "c.outcome(s) == Differs {", "false {"},
	{"verdict: what cannot be shown is judged", "pkg/study/judge.go", "\tif c.outcome(s) == Agrees {\n\t\treturn v", "\tif true {\n\t\treturn v"},
	{"error rates: the lower end shows that they are small", "pkg/study/atmost.go", "high = max(high, r.Hi)", "high = max(high, r.Lo)"},
	{"error rates: the upper end shows that they are large", "pkg/study/atmost.go", "case worst.Lo > delta:", "case worst.Hi > delta:"},
	{"error rates: the pooled estimate decides", "pkg/study/atmost.go", "case pool.Hi <= delta && !doubt:", "case pool.Center <= delta && !doubt:"},
	{"error rates: a cell above is pooled away", "pkg/study/atmost.go", "doubt = doubt ||", "doubt = doubt &&"},
	{"error rates: runs that did not end are right", "pkg/study/results.go", "!r.Correct || r.Status != stopped", "!r.Correct"},
	{"ratio: upside down", "pkg/study/estimate.go", "return of(a, b, c) }}", "return of(b, a, c) }}"},
	{"growth: the other sign", "pkg/study/estimate.go", "c, x = append(c, -cb[k])", "c, x = append(c, cb[k])"},
	{"growth: in the size, not its logarithm", "pkg/study/estimate.go", "(math.Log(float64(a.Size))-mean)/square", "(float64(a.Size)-mean)/square"},
	{"change of a ratio: the other way round", "pkg/study/estimate.go", "[]float64{-1, 1, 1, -1}", "[]float64{1, -1, -1, 1}"},
	{"contrast of rates: swapped ends", "pkg/tidy/contrast.go", "below, above = -above, -below", "below, above = -below, -above"},
	{"contrast of logarithms: the interval of a coin", "pkg/tidy/contrast.go", "sortedQuantile(boot, tail), sortedQuantile(boot, 1-tail)", "sortedQuantile(boot, .4+tail), sortedQuantile(boot, .6-tail)"},

	// GEGE.
	{"gege A1: the wrong sign of a rise", "pkg/study/gege/claims.go", "{Weight: weight, Rows: cells[len(cells)-1].Rows},\n\t\t{Weight: -weight,", "{Weight: -weight, Rows: cells[len(cells)-1].Rows},\n\t\t{Weight: weight,"},
	{"gege A2: more than nothing, not than GEGE", "pkg/study/gege/claims.go", "rise(cells(r, GEGE, \"\"), -1)...)...)", "rise(cells(r, GEGE, \"\"), 0)...)...)"},
	{"gege B1: of the other constants", "pkg/study/gege/claims.go", "Check: barelyGrows(Theory)}", "Check: barelyGrows(Code)}"},
	{"gege B2: it must agree", "pkg/study/gege/claims.go", "return canGrow(v, e)", "return canGrow(v, e+1)"},
	{"gege C1: the wrong sign of a reduction", "pkg/study/gege/claims.go", "study.Weighted{Weight: 1, Rows: b}, study.Weighted{Weight: -1, Rows: a}", "study.Weighted{Weight: 1, Rows: a}, study.Weighted{Weight: -1, Rows: b}"},
	{"gege D: an inverted comparison", "pkg/study/gege/claims.go", "word.Of(study.Ratio(name, a, b))", "word.Of(study.Ratio(name, b, a))"},
	{"gege D: guaranteed against unguaranteed", "pkg/study/gege/claims.go", "Check: significantlyFewer(Code, o, Code)", "Check: significantlyFewer(Code, o, Theory)"},
	{"gege E1: uniform sampling is left out", "pkg/study/gege/claims.go", "[]string{EGESH, EGESR, Uniform}", "[]string{EGESH, EGESH}"},
	{"gege E1: outperforms, not largely", "pkg/study/gege/claims.go", "Weight: -.5,", "Weight: -1,"},
	{"gege E2: with enough budget", "pkg/study/gege/claims.go", "if size < inst.Problem.K() {", "if size > inst.Problem.K() {"},
	{"gege H: wrong answers outperform", "pkg/study/gege/claims.go", "study.Wrong(\"error rate of GEGE\", a)", "study.Wrong(\"error rate of GEGE\", a[:0])"},
	{"gege J: the errors of the released code", "pkg/study/gege/claims.go", "c := r.Cell(size, GEGE, Theory)", "c := r.Cell(size, GEGE, Code)"},
	{"gege I1: three is at least three", "pkg/study/gege/claims.go", "study.Between(\"three\", 3, 3,", "study.Between(\"three\", 3, 9,"},

	// RAGE.
	{"rage: judged by the default, not as printed", "pkg/study/rage/methods.go", "{Name: RAGE, Constants: Printed, New:", "{Name: RAGE, Constants: Printed, TableOnly: true, New:"},
	{"rage: at the first size only", "pkg/study/rage/claims.go", "if len(a) > 0 && len(b) > 0 {\n\t\t\tcs = append(cs, w", "if len(a) > 0 && len(b) > 0 && cs == nil {\n\t\t\tcs = append(cs, w"},
	{"rage A3: it suffers from the start", "pkg/study/rage/claims.go", "study.Nearly.Of(study.Ratio(name", "study.MoreOften.Of(study.Ratio(name"},
	{"rage A3: an inverted change", "pkg/study/rage/claims.go", "first.Rows, a, last.Rows, b)))", "last.Rows, b, first.Rows, a)))"},
	{"rage A4: ALBA against itself", "pkg/study/rage/experiments.go", "compared(study.More, ALBA, RAGE, LinGapE, XYAdaptive)", "compared(study.More, XYAdaptive, RAGE, LinGapE, ALBA)"},
	{"rage B1: from the smallest sizes", "pkg/study/rage/claims.go", "e.Sizes[len(e.Sizes)-2:] {", "e.Sizes[:1] {"},
	{"rage F2: the growth of RAGE itself", "pkg/study/rage/claims.go", "cells(r, o), cells(r, RAGE)))", "cells(r, RAGE), cells(r, o)))"},
	{"rage H: wrong answers are not counted", "pkg/study/rage/claims.go", "t.Wrong += study.Mistakes([]mc.Row{row})", "_ = study.Mistakes([]mc.Row{row})"},
	{"rage I: the schedule is not exceeded", "pkg/study/rage/claims.go", "if share > 1+2*design.DefaultTol {", "if share > 1e9*design.DefaultTol {"},

	// e-cAPE.
	{"e-cAPE: an inverted comparison", "pkg/study/ecape/claims.go", "study.Ratio(name, a.rows(r, instance), b.rows(r, instance))", "study.Ratio(name, b.rows(r, instance), a.rows(r, instance))"},
	{"e-cAPE A: whatever the rates are", "pkg/study/ecape/claims.go", "instance != Published && instance != Described ||", "true ||"},
	{"e-cAPE C3: excessive is more", "pkg/study/ecape/claims.go", "compare(study.LargelyMore, CovBoost", "compare(study.More, CovBoost"},
	{"e-cAPE D1: negligible is below delta", "pkg/study/ecape/claims.go", "return study.FewWrong(study.Negligible, ts)", "return study.FewWrong(study.Reasonable, ts)"},
	{"e-cAPE E1: one objective is enough", "pkg/study/ecape/claims.go", "of150[1]-of75[1]", "of150[0]-of75[0]"},
	{"e-cAPE E2: the pulls of another arm", "pkg/study/ecape/claims.go", "r.ArmPulls[arm75])", "r.ArmPulls[0])"},
	{"e-cAPE: guarantees judged with other radii", "pkg/study/ecape/claims.go", "Check:     rarelyWrong(trials, Theory)", "Check:     rarelyWrong(trials, Printed)"},
	{"e-cAPE: sets of which nothing is known are right", "pkg/study/ecape/claims.go", "if !ok || wrong > 0", "if ok && wrong > 0"},
	{"e-cAPE: reasons wrong at most with delta", "pkg/study/ecape/claims.go", "study.Between(\"more often than delta\", r.Experiment.Delta, math.Inf(1),", "study.Between(\"more often than delta\", math.Inf(-1), r.Experiment.Delta,"},
	{"e-cAPE B1: the gap shrinks", "pkg/study/ecape/claims.go", "own(Racing, Racing5), own(ECAPE, Racing5), own(Racing, Racing10), own(ECAPE, Racing10)", "own(Racing, Racing10), own(ECAPE, Racing10), own(Racing, Racing5), own(ECAPE, Racing5)"},
	{"e-cAPE B2: the arm pulled most", "pkg/study/ecape/claims.go", "slices.Min(row.ArmPulls)", "slices.Max(row.ArmPulls)"},
	{"e-cAPE, Table 5: upside down", "pkg/study/ecape/runtime.go", "ms(ECAPE), ms(TwoStage), true", "ms(TwoStage), ms(ECAPE), true"},
}

// suite are the tests that are to find a fault: of a study, those of its verdicts, without what
// simulates.
func (m mutant) suite() []string {
	const simulate = "Golden|TestClaims|Report|TestBounds|TestGrid|AboveLower|TestRuntimes$|Boxes"
	switch dir := path.Dir(m.file); {
	case dir == "pkg/study" || dir == "pkg/tidy":
		return []string{"./pkg/study", "./pkg/study/studytest", "./pkg/tidy"}
	case strings.HasPrefix(dir, "pkg/study/"):
		return []string{"-skip", simulate, "./" + dir}
	}
	return tested
}
