package explore

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/digest"
	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// header is the first line of a log: everything that the policy was given, so that
// its rounds are not taken for those of another problem.
type header struct {
	Format     string   `json:"format"`
	Version    int      `json:"version"`
	Policy     string   `json:"policy"`
	Settings   string   `json:"settings"`         // a hash of those of the policy
	Source     string   `json:"source,omitempty"` // a hash of the random source, if one is set
	Arms       []string `json:"arms"`
	Items      []string `json:"items,omitempty"` // if they are not the arms
	Objectives []string `json:"objectives"`
	Sigma      float64  `json:"sigma"`
	NormSigma  float64  `json:"norm_sigma"`
	Question   string   `json:"question"`
	Changing   bool     `json:"changing,omitempty"`
	Link       string   `json:"link,omitempty"` // none for identity
	// Hashes of the features of arms and items, if there are any.
	X string `json:"x,omitempty"`
	Z string `json:"z,omitempty"`
}

const (
	logFormat = "purexp campaign"
	// logVersion is 1 for logs that do not know features, items and settings.
	logVersion = 2
)

// describe describes a policy and its settings before Init.
func describe(p Policy, set *Settings) *header {
	h := &header{Format: logFormat, Version: logVersion, Policy: Name(p),
		Settings: digest.Settings(p)}
	if set == nil || set.Src == nil {
		return h
	}
	h.Source = fmt.Sprintf("%T", set.Src)
	if m, ok := set.Src.(encoding.BinaryMarshaler); ok {
		if state, err := m.MarshalBinary(); err == nil {
			hash := sha256.New()
			hash.Write(state)
			h.Source += " " + digest.Sum(hash)
		}
	}
	return h
}

// problem adds a valid problem.
func (h *header) problem(p *Problem) {
	h.Sigma, h.NormSigma = p.Sigma, p.SigmaU()
	h.Changing = p.Changing
	h.X, h.Z = matrixDigest(p.X), matrixDigest(p.Z)
	if p.Link != Identity {
		h.Link = p.Link.String()
	}
	h.Question = fmt.Sprintf("%T %s", p.Question, digest.Settings(p.Question))
	if g, ok := p.Question.(fmt.GoStringer); ok {
		h.Question = g.GoString()
	}
	for i := range p.K() {
		h.Arms = append(h.Arms, p.Arm(i))
	}
	for i := range p.M() {
		if p.Z != nil || p.ItemNames != nil {
			h.Items = append(h.Items, p.Item(i))
		}
	}
	for i := range p.D() {
		h.Objectives = append(h.Objectives, p.Objective(i))
	}
}

// matrixDigest hashes m; it is empty if there is none.
func matrixDigest(m *mat.Dense) string {
	if m == nil {
		return ""
	}
	hash := sha256.New()
	digest.Matrix(hash, m)
	return digest.Sum(hash)
}

// begins returns what line n of a log begins with.
func (h *header) begins(n int) ([]byte, error) {
	if n == 1 {
		return jsonl.Encode(h)
	}
	return []byte(`{"round":`), nil
}

// check compares h with the first line of a log.
func (h *header) check(line []byte) error {
	var got header
	if err := jsonl.Decode(line, &got); err != nil {
		return fmt.Errorf("not the log of a campaign, or it was changed: %w: %w", err, ErrLog)
	}
	if got.Format != logFormat {
		return fmt.Errorf("not the log of a campaign: %w", ErrLog)
	}
	if got.Version != logVersion {
		return fmt.Errorf("the log is of version %d, and this program writes version %d; finish "+
			"the campaign with the version of purexp that started it: %w", got.Version, logVersion,
			ErrLog)
	}
	for _, f := range []struct {
		name      string
		got, want any
	}{
		{"policy", got.Policy, h.Policy}, {"arms", got.Arms, h.Arms},
		{"items", got.Items, h.Items}, {"objectives", got.Objectives, h.Objectives},
		{"sigma", got.Sigma, h.Sigma}, {"norm sigma", got.NormSigma, h.NormSigma},
		{"question", got.Question, h.Question}, {"changing features", got.Changing, h.Changing},
		{"link", got.Link, h.Link}, {"features of the arms, of hash", got.X, h.X},
		{"features of the items, of hash", got.Z, h.Z},
		{"settings of the policy, of hash", got.Settings, h.Settings},
		{"random source", got.Source, h.Source},
	} {
		a, _ := json.Marshal(f.got)
		b, _ := json.Marshal(f.want)
		if !bytes.Equal(a, b) {
			return fmt.Errorf(
				"the campaign was started with %s %s, not %s; resume it with the same, "+
					"or start another file: %w", f.name, a, b, ErrLog)
		}
	}
	return nil
}
