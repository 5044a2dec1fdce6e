package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const duel = `
title = "Duel"
[question]
find = "best"
delta = 0.05
[candidates]
names = ["A", "B"]
join = true
[[objective]]
name = "speed"
noise = { sd = 0.1 }
`

// lines is a writer that can be read while it is written to.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// dueling creates a campaign in a folder.
func dueling(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "duel.toml"), []byte(duel), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := purexp(t, dir, "campaign", "new", "duel.toml"); code != exitOK {
		t.Fatal(stderr)
	}
	return dir
}

// TestServe: the server prints its address, admits clients with the token, and ends when it is interrupted.
func TestServe(t *testing.T) {
	dueling(t)
	var out, errs lines
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int)
	go func() {
		ended <- run(ctx, []string{"serve", "duel.campaign", "--address", "127.0.0.1:0", "--token-file", "token"}, &out, &errs)
	}()
	link := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	for begun := time.Now(); !strings.HasSuffix(out.String(), "lost.\n"); time.Sleep(5 * time.Millisecond) {
		if time.Since(begun) > 5*time.Minute {
			t.Fatalf("no address: %s%s", out.String(), errs.String())
		}
	}
	if !strings.Contains(out.String(), "/enter?key=") || !strings.HasSuffix(out.String(), "\nThe link works once. Programs send the token in token.\n"+
		"Stop with Ctrl-C; nothing is lost.\n") {
		t.Errorf("no link that works once: %s", out.String())
	}
	token, err := os.ReadFile("token")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat("token"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the token can be read by others: %v, %v", info.Mode(), err)
	}
	if self, err := os.FindProcess(os.Getpid()); runtime.GOOS != "windows" && err == nil { // simulate a closed terminal
		if err := self.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		for begun := time.Now(); !strings.Contains(errs.String(), "SIGHUP"); time.Sleep(5 * time.Millisecond) {
			if time.Since(begun) > 5*time.Minute {
				t.Fatalf("SIGHUP: %s%s", out.String(), errs.String())
			}
		}
	}
	bearer := "Bearer " + strings.TrimSpace(string(token))
	for want, header := range map[int]string{401: "", 200: bearer} {
		req, err := http.NewRequest("GET", link.FindString(out.String())+"/api/state", nil)
		if err != nil {
			t.Fatal(err)
		}
		if header != "" {
			req.Header.Set("Authorization", header)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		if resp.Body.Close(); err != nil || resp.StatusCode != want ||
			want == 200 && !strings.Contains(string(b), `"title":"Duel"`) {
			t.Errorf("%d %s, %v; want %d", resp.StatusCode, b, err, want)
		}
	}
	stop()
	if code := <-ended; code != exitOK {
		t.Errorf("code %d: %s", code, errs.String())
	}
}

// With a certificate, the server uses https. Without a token,
// everybody on this machine has access, and the address must be local.
func TestServeEncrypted(t *testing.T) {
	dir := dueling(t)
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	cert, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "c.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})))
	put(t, dir, "k.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	var out, errs lines
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int)
	go func() {
		ended <- run(ctx, []string{"serve", "--address", "127.0.0.1:0", "--cert", "c.pem", "--key", "k.pem"}, &out, &errs)
	}()
	said := regexp.MustCompile(`^duel\.campaign: (https://127\.0\.0\.1:\d+)\S*\nStop with Ctrl-C; nothing is lost\.\n$`)
	for begun := time.Now(); !strings.HasSuffix(out.String(), "lost.\n") && errs.String() == ""; time.Sleep(5 * time.Millisecond) {
		if time.Since(begun) > 5*time.Minute {
			t.Fatalf("no address: %s", out.String())
		}
	}
	if link := said.FindStringSubmatch(out.String()); link == nil {
		t.Errorf("it says %q; want %v\n%s", out.String(), said, errs.String())
	} else {
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}))
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true}}
		resp, err := client.Get(link[1] + "/api/state")
		if err != nil {
			t.Error(err)
		} else if resp.Body.Close(); resp.StatusCode != 200 {
			t.Errorf("status %d", resp.StatusCode)
		}
		var other lines
		address := strings.TrimPrefix(link[1], "https://")
		over, end := context.WithCancel(ctx)
		end() // the context is cancelled, so a second server would end at once
		if code := run(over, []string{"serve", "--address", address}, &other, &other); code != exitFailure || !strings.Contains(other.String(), address) {
			t.Errorf("an address that is taken: %d %s", code, other.String())
		}
	}
	stop()
	if code := <-ended; code != exitOK {
		t.Errorf("code %d: %s", code, errs.String())
	}
}

func TestServeRefusals(t *testing.T) {
	dir := dueling(t)
	for name, text := range map[string]string{"short": "fifteen-letters\n", "words": "two words of a token\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := filepath.Join(dir, "long")
	if err := os.WriteFile(long, []byte("sixteen--letters\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := token(long); err != nil || s != "sixteen--letters" {
		t.Errorf("16 characters: %q, %v", s, err)
	}
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"duel.campaign --address 0.0.0.0:0", exitUsage, "give --token-file"},
		{"duel.campaign --address :0", exitUsage, "give --token-file"},
		{"duel.campaign --host bench.example", exitUsage, "give --token-file"},
		{"duel.campaign --address 8080", exitUsage, "expected host:port"},
		{"duel.campaign --cert x", exitUsage, "belong together"},
		{"duel.campaign --token-file short", exitFailure, "at least 16 characters"},
		{"duel.campaign --token-file words", exitFailure, "characters without spaces"},
		{"none.campaign", exitFailure, "none.campaign"},
		{"duel.toml", exitFile, "duel.toml"},
		{"--address 8080", exitUsage, "expected host:port"}, // serve would use the campaign in this folder
	} {
		t.Chdir(dir)
		var out, errs lines
		ctx, stop := context.WithCancel(t.Context())
		stop() // the context is cancelled, so a server would end at once
		code := run(ctx, append([]string{"serve"}, strings.Fields(c.args)...), &out, &errs)
		if code != c.code || !strings.Contains(errs.String(), c.says) || out.String() != "" {
			t.Errorf("serve %s: %d %s%s; want %d with %q", c.args, code, out.String(), errs.String(), c.code, c.says)
		}
	}
}

// TestServeHere: without a file argument, serve looks for a campaign in the folder; here there is none.
func TestServeHere(t *testing.T) {
	_, stderr, code := purexp(t, t.TempDir(), "serve")
	if code == exitOK || !strings.Contains(stderr, "this folder has no file *.campaign") {
		t.Errorf("%d, %s", code, stderr)
	}
}

// With https or a certificate, Access.TLS is true. A host name or a network address needs a token.
func TestAccess(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, x := range []struct {
		f    serveFlags
		tls  bool
		fine bool
	}{
		{serveFlags{address: "127.0.0.1:0"}, false, true},
		{serveFlags{address: "127.0.0.1:0", https: true}, true, true},
		{serveFlags{address: "127.0.0.1:0", cert: "c", key: "k"}, true, true},
		{serveFlags{address: "127.0.0.1:0", cert: "c"}, true, false},
		{serveFlags{address: "127.0.0.1:0", key: "k"}, false, false},
		{serveFlags{address: "127.0.0.1:0", hosts: []string{"bench"}}, false, false},
		{serveFlags{address: "127.0.0.1:0", hosts: []string{"bench"}, tokenFile: "token"}, false, true},
		{serveFlags{address: "0.0.0.0:0"}, false, false},
		{serveFlags{address: "0.0.0.0:0", tokenFile: "token"}, false, true},
		{serveFlags{address: "127.0.0.1"}, false, false},
	} {
		a, err := x.f.access()
		if a.TLS != x.tls || (err == nil) != x.fine || err == nil && (a.Token != "") != (x.f.tokenFile != "") {
			t.Errorf("%+v: %+v, %v", x.f, a, err)
		}
	}
	// With a token, clients may use the given host names and the name of the machine. The new token is written to
	// the token file.
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	said := []string{"bench", "bench.lab"}
	a, err := (&serveFlags{address: "127.0.0.1:0", hosts: said[:1], tokenFile: "token"}).access()
	token, _ := os.ReadFile("token")
	if err != nil || !a.Loopback || !slices.Equal(a.Hosts, []string{"bench", host}) || said[1] != "bench.lab" || a.Token+"\n" != string(token) {
		t.Errorf("%+v, %v, %q", a, err, said)
	}
	if a, err := (&serveFlags{address: "0.0.0.0:0", tokenFile: "token"}).access(); err != nil || a.Loopback || !slices.Equal(a.Hosts, []string{host}) {
		t.Errorf("%+v, %v", a, err)
	}
	if info, err := os.Stat("token"); err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("the token can be read by others: %v, %v", info, err)
	}
}

// The URL has the name and the port by which clients reach the server.
func TestBase(t *testing.T) {
	host, _ := os.Hostname()
	for _, x := range []struct {
		f         serveFlags
		listening string
		want      string
	}{
		{serveFlags{}, "127.0.0.1:80", "http://127.0.0.1:80"},
		{serveFlags{https: true}, "127.0.0.1:80", "https://127.0.0.1:80"},
		{serveFlags{cert: "c"}, "[::1]:80", "https://[::1]:80"},
		{serveFlags{}, "0.0.0.0:80", "http://" + net.JoinHostPort(host, "80")},
		{serveFlags{}, "[::]:80", "http://" + net.JoinHostPort(host, "80")},
		{serveFlags{hosts: []string{"bench", "other"}}, "0.0.0.0:80", "http://bench:80"},
	} {
		if got := x.f.base(x.listening); got != x.want {
			t.Errorf("%+v, %s: %s; want %s", x.f, x.listening, got, x.want)
		}
	}
}
