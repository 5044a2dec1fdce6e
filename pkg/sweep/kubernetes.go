package sweep

import (
	"fmt"
	"path/filepath"
	"strings"
	"text/template"
)

// Where the claim is mounted in pods.
const mount = "/sweeps"

// kubernetesJob is an Indexed Job: pod i, from 0, runs shard i+1. Its rules are those of Slurm's
// array: what is evicted with its node is begun again without counting, what fails is begun again a
// few times and then left for the next job, and one shard that fails stops no other.
var kubernetesJob = template.Must(template.New("job").Parse(`# Written by 'sweep kubernetes'.
apiVersion: batch/v1
kind: Job
metadata:
  name: {{.Name}}
{{- if .Namespace}}
  namespace: {{.Namespace}}
{{- end}}
spec:
  completionMode: Indexed
  completions: {{.Shards}}
  parallelism: {{.AtOnce}}
  backoffLimitPerIndex: 3
  maxFailedIndexes: {{.Shards}}
  podReplacementPolicy: Failed
  podFailurePolicy:
    rules:
    - action: Ignore
      onPodConditions:
      - type: DisruptionTarget
        status: "True"
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: {{.Notice}}
      containers:
      - name: shard
        image: {{.Image}}
        command:
        - {{.Folder}}/program
{{- range .Command}}
        - {{.}}
{{- end}}
        - --workers
        - "{{.CPUs}}"
        - {{.Folder}}
        resources:
          requests:
            cpu: "{{.CPUs}}"
            memory: {{.Memory}}
          limits:
            memory: {{.Memory}}
        volumeMounts:
        - name: sweeps
          mountPath: {{.Mount}}
      volumes:
      - name: sweeps
        persistentVolumeClaim:
          claimName: {{.Claim}}
`))

// Kubernetes returns an Indexed Job, in YAML, that runs the shards of the sweep: the folder of the
// sweep must stand in a volume that all pods can write. Shards that are finished end at once, so
// that the same job, replaced, is the way to retry.
func (s *Sweep) Kubernetes(p *Profile) (string, error) {
	if err := p.validate(); err != nil {
		return "", err
	}
	k := &p.Kubernetes
	or := func(own, usual string) string {
		if own == "" {
			return usual
		}
		return own
	}
	atOnce := s.Shards
	if p.AtOnce > 0 {
		atOnce = min(atOnce, p.AtOnce)
	}
	folder := or(k.Folder, filepath.Base(s.Dir))
	if !word.MatchString(folder) {
		return "", fmt.Errorf("sweep: the folder's name %q is no plain name; set folder in "+
			"[kubernetes] of %s", folder, s.path(profileName))
	}
	// Names of Kubernetes have lower case letters, digits and hyphens, at most 63.
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(s.jobName()))
	if n := len(name); n > 52 { // the number of a pod follows
		name = name[:52-len(s.ID)-1] + name[n-len(s.ID)-1:]
	}
	var b strings.Builder
	err := kubernetesJob.Execute(&b, map[string]any{
		"Name": name, "Namespace": k.Namespace, "Shards": s.Shards, "AtOnce": atOnce,
		"Notice": p.notice(), "Image": or(k.Image, "debian:stable-slim"),
		"Folder": mount + "/" + folder, "Command": s.Command, "CPUs": p.processors(),
		"Memory": or(k.Memory, "1Gi"), "Mount": mount, "Claim": or(k.Claim, "sweeps"),
	})
	return b.String(), err
}
