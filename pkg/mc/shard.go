package mc

import (
	"fmt"
	"strconv"
	"strings"
)

// A Shard is part I of N of a study, I from 1: every N-th replicate of every
// cell, so that each shard is a small study of its own, and takes about the
// same time. The zero value is the whole.
type Shard struct{ I, N int }

// ParseShard reads a shard such as "2/8". The empty string is the whole.
func ParseShard(s string) (Shard, error) {
	if s == "" {
		return Shard{}, nil
	}
	a, b, ok := strings.Cut(s, "/")
	i, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	sh := Shard{i, n}
	if !ok || err1 != nil || err2 != nil || n < 1 || sh.validate() != nil {
		return Shard{}, fmt.Errorf("mc: shard %q; want part/parts, such as 2/8", s)
	}
	return sh, nil
}

// String returns a text such as "2/8", and "" for the whole.
func (s Shard) String() string {
	if s == (Shard{}) {
		return ""
	}
	return strconv.Itoa(s.I) + "/" + strconv.Itoa(s.N)
}

func (s Shard) validate() error {
	if s != (Shard{}) && (s.N < 1 || s.I < 1 || s.I > s.N) {
		return fmt.Errorf("mc: shard %v; want part I of N with 1 <= I <= N", s)
	}
	return nil
}

// first returns the first replicate of the shard.
func (s Shard) first() int { return max(s.I-1, 0) }

// step returns the distance between the replicates of the shard.
func (s Shard) step() int { return max(s.N, 1) }

// count returns the number of replicates of the shard from replicate from,
// which is one of them, up to but not including end.
func (s Shard) count(from, end int) int {
	if from >= end {
		return 0
	}
	return (end-from-1)/s.step() + 1
}

// has reports whether replicate rep, at least 0, belongs to the shard.
func (s Shard) has(rep int) bool { return rep%s.step() == s.first() }
