package linear

import "math"

// A Gradient computes knowledge gradients: what the largest of several means that are linear in
// one standard Gaussian number exceeds the largest of their expectations by, on average (Frazier,
// Powell and Dayanik 2009). The zero value is ready; memory grows and is kept.
type Gradient struct {
	order []int
	log   []float64 // of the terms
}

// Log returns log(E max_i (a_i + scale b_i Z) - max_i a_i) for Z ~ N(0, 1), -Inf if all b are
// equal. Logarithms tell values apart that underflow.
//
// The lines that are the largest somewhere are found as a convex hull is by quickhull: a line
// between two others in slope is none of them unless it is above both where these cross. O(K) for
// K lines if few are such, O(K^2) at worst.
func (g *Gradient) Log(a, b []float64, scale float64) float64 {
	low, high := 0, 0
	for i, v := range b {
		if v < b[low] || v == b[low] && a[i] > a[low] {
			low = i
		}
		if v > b[high] || v == b[high] && a[i] > a[high] {
			high = i
		}
	}
	if !(b[low] < b[high]) {
		return math.Inf(-1)
	}
	g.log, g.order = g.log[:0], g.order[:0]
	z, v := cross(a, b, low, high)
	for i, s := range b {
		if a[i]+s*z > v {
			g.order = append(g.order, i)
		}
	}
	g.hull(a, b, scale, low, high, 0)
	// The sum of the exponentials of g.log.
	most := math.Inf(-1)
	for _, l := range g.log {
		most = max(most, l)
	}
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.
	for _, l := range g.log {
		sum += math.Exp(l - most)
	}
	return most + math.Log(sum)
}

// cross returns where lines i and j cross, and their value there.
func cross(a, b []float64, i, j int) (z, value float64) {
	z = (a[i] - a[j]) / (b[j] - b[i])
	return z, a[i] + b[i]*z
}

// hull adds the terms of the lines that are the largest between the slopes of lines low and high.
// The other lines that may be such are those of order from start on, which it takes off.
func (g *Gradient) hull(a, b []float64, scale float64, low, high, start int) {
	z, v := cross(a, b, low, high)
	// Rounding must not make a line that touches a corner another one.
	top, most := -1, v+1e-14*(math.Abs(a[low])+math.Abs(a[high]))
	for _, i := range g.order[start:] {
		if u := a[i] + b[i]*z; u > most && b[i] > b[low] && b[i] < b[high] {
			top, most = i, u
		}
	}
	if top < 0 {
		g.order = g.order[:start]
		// (b_high - b_low) f(-|c|) for the crossing c in units of Z.
		g.log = append(g.log, math.Log((b[high]-b[low])*scale)+logLoss(-math.Abs(z)/scale))
		return
	}
	end := len(g.order)
	for _, side := range [2][2]int{{low, top}, {top, high}} {
		z, v := cross(a, b, side[0], side[1])
		for _, i := range g.order[start:end] {
			if b[i] > b[side[0]] && b[i] < b[side[1]] && a[i]+b[i]*z > v {
				g.order = append(g.order, i)
			}
		}
		g.hull(a, b, scale, side[0], side[1], end)
	}
	g.order = g.order[:start]
}

// logLoss returns log(phi(z) + z Phi(z)) for z <= 0.
func logLoss(z float64) float64 {
	logPhi := -z*z/2 - math.Log(2*math.Pi)/2
	if z < -25 { // where the two nearly cancel
		z2 := z * z
		return logPhi - math.Log(z2) + math.Log1p(-3/z2+15/(z2*z2)-105/(z2*z2*z2))
	}
	return math.Log(math.Exp(logPhi) + z*math.Erfc(-z/math.Sqrt2)/2)
}
