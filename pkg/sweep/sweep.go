package sweep

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/purexp/purexp/pkg/internal/strictjson"
	"github.com/purexp/purexp/pkg/mc"
)

// Format and Version are the values of the first two fields in sweep.json.
const (
	Format  = "purexp sweep"
	Version = 1
)

// The following constants are names of files and folders in the folder of a sweep.
const (
	manifestName = "sweep.json"
	profileName  = "profile.toml"
	programName  = "program"
	scriptName   = "job.sh"
	shardsDir    = "shards"
	attemptsDir  = "attempts" // contains a folder for each shard
	logsDir      = "logs"
)

// Study identifies the grid of a sweep.
type Study struct {
	// Name is the program's name for the grid.
	Name string `json:"name"`
	// Reps is the number of replicates, or 0 for the default number of the study. Seed is the root
	// seed of the random streams.
	Reps int    `json:"reps"`
	Seed uint64 `json:"seed"`
}

// Manifest is the content of sweep.json, which does not change after Create.
type Manifest struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// ID identifies the sweep; the names of its jobs in Slurm's queue end with ID.
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	Study   Study     `json:"study"`
	Shards  int       `json:"shards"`
	// Command contains the arguments of the program that precede the folder and the number of the
	// shard.
	Command []string `json:"command"`
	// Program is the SHA-256 hash of the program in the folder. The hash is checked for programs
	// other than purexp, because the header of rows may not identify all code of such programs.
	Program string  `json:"program"`
	Outline Outline `json:"outline"`
}

// Sweep is a folder that contains a study divided into shards.
type Sweep struct {
	Manifest
	// Dir is the absolute path of the folder.
	Dir string
	// Slurm contains the commands that Submit, Status and Retry use.
	Slurm Slurm
}

// Plan is the input of Create.
type Plan struct {
	Study  Study
	Grid   *mc.Grid // the grid of the study
	Shards int
	// Profile is the content of profile.toml; empty means ProfileText.
	Profile []byte
	// Program is the path of the program that runs shards; empty means this program. Create copies
	// this program into the folder, so that rebuilding the original does not affect the sweep.
	Program string
	// Command contains the arguments of the program that precede the folder and the number of the
	// shard.
	Command []string
}

// Create creates the folder dir with everything that Submit and Run need; if dir exists, it must be
// empty. All machines must see dir at the same path.
func Create(dir string, p *Plan) (*Sweep, error) {
	abs, err := folder(dir)
	if err != nil {
		return nil, err
	}
	o, err := outlineOf(p.Grid)
	if err != nil {
		return nil, err
	}
	if p.Shards < 1 || p.Shards > o.most {
		return nil, fmt.Errorf("sweep: %d shards; expected 1 to %d, the number of replicates", p.Shards, o.most)
	}
	profile := p.Profile
	if len(profile) == 0 {
		profile = []byte(ProfileText)
	}
	if _, err := ParseProfile(profile); err != nil {
		return nil, fmt.Errorf("sweep: profile: %w", err)
	}
	entries, err := os.ReadDir(abs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("sweep: %s is not empty; choose a new folder, or empty this folder", dir)
	}
	program := p.Program
	if program == "" {
		if program, err = os.Executable(); err != nil {
			return nil, fmt.Errorf("sweep: %w", err)
		}
	}
	_, there := os.Stat(abs)
	s, err := p.write(abs, program, profile, o)
	if err != nil { // remove everything, so that the same command can be repeated
		for _, name := range []string{shardsDir, attemptsDir, logsDir, programName, profileName} {
			os.Remove(filepath.Join(abs, name))
		}
		if there != nil {
			os.Remove(abs)
		}
		return nil, err
	}
	return s, nil
}

// write writes the files of a sweep to the empty folder at abs.
func (p *Plan) write(abs, program string, profile []byte, o *Outline) (*Sweep, error) {
	for _, d := range []string{shardsDir, attemptsDir, logsDir} {
		if err := os.MkdirAll(filepath.Join(abs, d), 0o777); err != nil {
			return nil, fmt.Errorf("sweep: %w", err)
		}
	}
	sum, err := copyProgram(filepath.Join(abs, programName), program)
	if err != nil {
		return nil, err
	}
	s := &Sweep{
		Manifest: Manifest{
			Format: Format, Version: Version, ID: strings.ToLower(rand.Text()[:8]),
			Created: time.Now().UTC().Truncate(time.Second),
			Study:   p.Study, Shards: p.Shards, Command: p.Command, Program: sum, Outline: *o,
		},
		Dir: abs,
	}
	if err := writeFile(s.path(profileName), profile); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(&s.Manifest, "", " ")
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	// The manifest is written last, so that a folder with a manifest is complete.
	if err := writeFile(s.path(manifestName), append(text, '\n')); err != nil {
		return nil, err
	}
	return s, nil
}

// folder returns the absolute path of dir, or an error if Slurm cannot handle the path.
func folder(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("sweep: the name of the folder is empty; name a folder")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("sweep: %w", err)
	}
	if i := strings.IndexAny(abs, "%\\\n\r\"'"); i >= 0 {
		return "", fmt.Errorf("sweep: the path %q contains %q, which has a special meaning for Slurm; choose another "+
			"folder", abs, abs[i])
	}
	return abs, nil
}

// Open reads the sweep in the folder dir.
func Open(dir string) (*Sweep, error) {
	abs, err := folder(dir)
	if err != nil {
		return nil, err
	}
	s := &Sweep{Dir: abs}
	text, err := os.ReadFile(s.path(manifestName))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("sweep: %s has no file %s, so it is not the folder of a sweep; create a "+
			"sweep with 'sweep new': %w", dir, manifestName, fs.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	return s, s.parse(text)
}

// parse parses the manifest.
func (s *Sweep) parse(text []byte) error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("sweep: %s: %s; create the sweep again with 'sweep new'",
			s.path(manifestName), fmt.Sprintf(format, a...))
	}
	if err := strictjson.Unmarshal(text, &s.Manifest); err != nil {
		return bad("the contents were changed (%v)", err)
	}
	switch {
	case s.Format != Format:
		return bad("the format is %q; expected %q", s.Format, Format)
	case s.Version != Version:
		return bad("the version is %d; expected %d", s.Version, Version)
	case s.Shards < 1 || !word.MatchString(s.ID) || s.ID == "":
		return bad("shards is %d and id is %q; expected at least 1 shard, and one word as id", s.Shards, s.ID)
	}
	if err := s.Outline.prepare(); err != nil {
		return bad("%v", err)
	}
	return nil
}

// path returns the path of a file in the folder of the sweep.
func (s *Sweep) path(name ...string) string {
	return filepath.Join(append([]string{s.Dir}, name...)...)
}

// jobName returns the name of the sweep's jobs in Slurm's queue.
func (s *Sweep) jobName() string {
	plain := strings.Map(func(r rune) rune {
		if r < 0x80 && r != ',' && word.MatchString(string(r)) {
			return r
		}
		return '-'
	}, s.Study.Name)
	return "purexp-" + strings.ReplaceAll(plain, "/", "-") + "-" + s.ID
}

func (s *Sweep) shard(i int) mc.Shard { return mc.Shard{I: i, N: s.Shards} }

// Rows returns the total number of rows of all shards.
func (s *Sweep) Rows() int { return s.Outline.rows(mc.Shard{}) }

// Final returns the path of the file with the rows of shard i, counted from 1; the file exists only
// if the rows are complete.
func (s *Sweep) Final(i int) string {
	return s.path(shardsDir, fmt.Sprintf("%04d-of-%04d.jsonl", i, s.Shards))
}

func writeFile(path string, text []byte) error {
	return replace(path, 0o666, func(w io.Writer) error {
		if _, err := w.Write(text); err != nil {
			return fmt.Errorf("sweep: %s: %w", path, err)
		}
		return nil
	})
}

// replace replaces the content of path by the output of write, as soon as the output is on disk.
func replace(path string, mode fs.FileMode, write func(io.Writer) error) error {
	return written(path, mode, os.Rename, write)
}

// written writes a file as replace does, but calls the function name to give the finished file its
// final name.
func written(path string, mode fs.FileMode, name func(temp, path string) error,
	write func(io.Writer) error) (err error) {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"-"+rand.Text()[:8])
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("sweep: %s cannot be written: %w", path, cause(err))
	}
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	err = f.Sync()
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = name(temp, path)
	}
	if err != nil {
		return fmt.Errorf("sweep: %s: %w", path, err)
	}
	syncDir(filepath.Dir(path))
	return nil
}

// cause returns err without the path of a temporary file.
func cause(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// If the system supports it, syncDir syncs a folder, so that the names in the folder survive a
// power failure.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// copyProgram copies the program at src to dst, and returns its SHA-256 hash.
func copyProgram(dst, src string) (string, error) {
	in, err := os.Open(src)
	if err != nil {
		return "", fmt.Errorf("sweep: program: %w", err)
	}
	defer in.Close()
	h := sha256.New()
	err = replace(dst, 0o777, func(w io.Writer) error {
		if _, err := io.Copy(io.MultiWriter(w, h), in); err != nil {
			return fmt.Errorf("sweep: the program %s could not be copied to %s: %w", src, dst, cause(err))
		}
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// checkProgram returns an error if this program is not the program of the sweep. The rows of purexp
// depend only on the code that their header identifies (mc.Code). Rows of other programs may depend
// on code that the header does not identify.
func (s *Sweep) checkProgram() error {
	info, ok := debug.ReadBuildInfo()
	if ok && info.Path == "github.com/purexp/purexp/cmd/purexp" {
		return nil
	}
	path, err := os.Executable()
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	if hex.EncodeToString(h.Sum(nil)) != s.Program {
		return fmt.Errorf("sweep: %s: %w, because another program created the sweep; run "+
			"%s, or create a new sweep", path, ErrGrid, s.path(programName))
	}
	return nil
}
