package study

import "github.com/purexp/purexp/pkg/fig"

// Looks gives methods their looks in the figures of all papers: a method has one colour and one
// marker, whatever it is compared with. Each row has the hues of a palette in their order, from blue
// to black; methods that papers compare with one another are in different columns as far as there
// are columns, and forms of a method are in one. See fig.Palette for constants.
var Looks = fig.Palette{
	"RAGE", "XY-static", "XY-adaptive", "LinGapE", "ALBA", "G-allocation", "XY-oracle",
	"GEGE", "EGE-SH", "APE", "EGE-SR", "PAL", "Uniform", "Uniform LS",
	"e-cAPE", "Racing", "Game-cPSI", "PSIPS", "MD-APT+APE", "uniform", "Betting Pareto",
	"LinFACT-G", "LinFACT-XY", "BayesGap", "m-LinGapE", "LinGIFA", "KGCB", "Lazy TTS",
	"LinFACT-GLM", "LinGapE greedy", "LinGame", "m-LinGapE, told m", "LinGIFA, told m",
	"(ST)^2", "Lazy TTS, told the threshold",
	"PFIwR", "PFIMulti", "PFIwR, doubly robust", "Sparing", "FWS", "(ST)^2, no features",
	"track-and-stop, no features",
	"PFIwR (8)-(10)", "ridge, p lambda_t", "ridge, 1", "doubly robust, drawn anew",
	"EAST, no features", "FAREAST, no features", "Lazy TTS for thresholds",
	"LinFACT-G, one feature an arm", "LinFACT-MIS", "LinFACT-MIS orthogonal",
	"LinFACT-MIS, radius (35)", "LinFACT-MIS, Theorem 5.1", "FAREAST", "Betting feasible Pareto",
	"p = 0.1", "p = 0.5", "p = 0.9", "G-static", "EAST", "", "",
	"PEACE", "OD-LinBAI", "GSE", "", "", "", "",
	"GEGE, mirror descent", "EGE-SH, cumulative", "all-epsilon game", "", "LUCB", "", "",
	"", "Auer", "UGapE", "", "", "", "",
	"", "Betting", "All-epsilon game", "", "", "", "",
	"", "Betting all epsilon-best",
}
