// Package tools_test checks files of the module that need dependencies which its users should not
// get.
package tools_test

import (
	"os"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

const file = "../../pkg/sweep/testdata/job.yaml"

// The Indexed Job that 'purexp sweep kubernetes' prints has fields that the API knows, and no
// others, and says what it should.
func TestIndexedJob(t *testing.T) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var job batchv1.Job
	if err := yaml.UnmarshalStrict(text, &job); err != nil {
		t.Fatal(err)
	}
	spec := job.Spec
	pod := spec.Template.Spec
	if job.APIVersion != "batch/v1" || job.Kind != "Job" ||
		*spec.CompletionMode != batchv1.IndexedCompletion ||
		*spec.Completions != 4 || *spec.Parallelism != 3 || *spec.BackoffLimitPerIndex != 3 ||
		*spec.MaxFailedIndexes != 4 || *spec.PodReplacementPolicy != batchv1.Failed {
		t.Errorf("spec %+v", spec)
	}
	// Evictions do not count. The API demands that pods are never restarted in place then.
	rule := spec.PodFailurePolicy.Rules[0]
	if rule.Action != batchv1.PodFailurePolicyActionIgnore ||
		rule.OnPodConditions[0].Type != corev1.DisruptionTarget ||
		rule.OnPodConditions[0].Status != corev1.ConditionTrue ||
		pod.RestartPolicy != corev1.RestartPolicyNever {
		t.Errorf("rule %+v, restart policy %v", rule, pod.RestartPolicy)
	}
	c := pod.Containers[0]
	if c.VolumeMounts[0].Name != pod.Volumes[0].Name ||
		pod.Volumes[0].PersistentVolumeClaim.ClaimName != "data" ||
		!strings.HasPrefix(c.Command[0], c.VolumeMounts[0].MountPath+"/") ||
		c.Command[len(c.Command)-1]+"/program" != c.Command[0] {
		t.Errorf("container %+v, volumes %+v", c, pod.Volumes)
	}
	if c.Resources.Requests.Cpu().Value() != 2 || c.Resources.Limits.Memory().Value() != 1<<30 {
		t.Errorf("resources %+v", c.Resources)
	}
	// The decoding is strict.
	for old, wrong := range map[string]string{
		"parallelism: 3":          "paralelism: 3",
		"backoffLimitPerIndex: 3": "backoffLimitPerIndex: three",
		"mountPath":               "mountpoint",
		"type: DisruptionTarget":  "kind: DisruptionTarget",
	} {
		bad := strings.Replace(string(text), old, wrong, 1)
		if bad == string(text) {
			t.Errorf("the job has no %q", old)
		}
		if err := yaml.UnmarshalStrict([]byte(bad), new(batchv1.Job)); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}
