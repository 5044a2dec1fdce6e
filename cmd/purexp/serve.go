package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/web"
)

type serveFlags struct {
	address, tokenFile, cert, key string
	hosts                         []string
	https                         bool
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use: "serve [FILE]", Short: "Serve a campaign: a page for people, an API for programs",
		Long: `Serve shows a campaign on a web page with live updates and forms to ask, tell, upload, drop
and undo. Programs use its HTTP and JSON API (see /openapi.json). Several programs may use the
file at the same time.

By default it listens on this machine only, and needs no token. For a network, give --address and
--token-file; if the token file does not exist, Serve creates it. Programs send "Authorization:
Bearer TOKEN". People open a link that works once; Serve prints the first link. Without --cert,
others can read the traffic: use a trusted network, a tunnel, or an encrypting proxy (with --https).

Serve continues when the terminal is closed (SIGHUP). Ctrl-C and SIGTERM stop it.`,
		Example: `  purexp serve                       # the campaign in this folder
  purexp serve coupling.campaign
  purexp serve coupling.campaign --address 0.0.0.0:8080 --token-file token --host bench.lab`,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			var named shared
			if len(a) == 1 {
				named.file = a[0]
			}
			path, err := named.path()
			if err != nil {
				return err
			}
			return serve(cmd, path, &f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.address, "address", "127.0.0.1:8080",
		"`host:port` to listen on; port 0 selects a free port")
	fl.StringVar(&f.tokenFile, "token-file", "",
		"`file` with the token; created if it does not exist")
	fl.StringArrayVar(&f.hosts, "host", nil, "`name` by which people reach the server (repeatable)")
	fl.StringVar(&f.cert, "cert", "", "`file` with a certificate, for https")
	fl.StringVar(&f.key, "key", "", "`file` with the key of the certificate")
	fl.BoolVar(&f.https, "https", false, "a proxy in front of the server encrypts the traffic")
	return cmd
}

func (f *serveFlags) access() (web.Access, error) {
	a := web.Access{Loopback: web.Loopback(f.address), Hosts: f.hosts, TLS: f.cert != "" || f.https}
	if _, _, err := net.SplitHostPort(f.address); err != nil {
		return a, usage("--address is %q; expected host:port, such as 127.0.0.1:8080", f.address)
	}
	if (f.cert == "") != (f.key == "") {
		return a, usage("--cert and --key belong together; give both, or neither")
	}
	if f.tokenFile == "" {
		if !a.Loopback || len(f.hosts) > 0 {
			return a, usage("--address %s or --host lets other machines connect; give --token-file FILE, so that "+
				"only authorized people and programs can report results", f.address)
		}
		return a, nil
	}
	if name, err := os.Hostname(); err == nil {
		a.Hosts = append(a.Hosts[:len(a.Hosts):len(a.Hosts)], name)
	}
	var err error
	a.Token, err = token(f.tokenFile)
	return a, err
}

// shortestToken is the minimum length of a token, in characters.
const shortestToken = 16

// token reads the token in a file; if the file does not exist, token creates a file with a random
// token.
func token(path string) (string, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t := rand.Text()
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return "", err
		}
		_, err = fmt.Fprintln(f, t)
		return t, errors.Join(err, f.Close())
	}
	if err != nil {
		return "", err
	}
	t := strings.TrimSpace(string(b))
	if len(t) < shortestToken || strings.ContainsAny(t, " \t\r\n") {
		return "", fmt.Errorf("%s: expected a token of at least %d characters without spaces; if you delete the "+
			"file, 'purexp serve' creates a token", path, shortestToken)
	}
	return t, nil
}

// serve runs the server until it is interrupted.
func serve(cmd *cobra.Command, path string, f *serveFlags) error {
	a, err := f.access()
	if err != nil {
		return err
	}
	c, err := campaign.Open(path)
	if err != nil {
		return err
	}
	defer c.Close()
	l, err := net.Listen("tcp", f.address)
	if err != nil {
		return err
	}
	base := f.base(l.Addr().String())
	s := web.New(c, a, base)
	defer s.Close()
	srv := web.HTTP(s)
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s: %s\n", path, s.Link())
	if a.Token != "" {
		fmt.Fprintf(out, "The link works once. Programs send the token in %s.\n", f.tokenFile)
	}
	fmt.Fprintln(out, "Stop with Ctrl-C; nothing is lost.")
	failed := make(chan error, 1)
	go func() {
		if f.cert != "" {
			failed <- srv.ServeTLS(l, f.cert, f.key)
			return
		}
		failed <- srv.Serve(l)
	}()
	var lost error
	for serving := true; serving; {
		select {
		case err := <-failed:
			return err
		case lost = <-s.Lost():
			serving = false
		case <-hangup:
			fmt.Fprintln(cmd.ErrOrStderr(), "SIGHUP: the server continues; stop it with Ctrl-C or SIGTERM")
		case <-cmd.Context().Done():
			serving = false
		}
	}
	// Shutdown waits for requests in progress. The event streams of open pages are closed after the
	// grace period lastWord.
	within, cancel := context.WithTimeout(context.Background(), lastWord)
	defer cancel()
	if err := srv.Shutdown(within); errors.Is(err, context.DeadlineExceeded) {
		_ = srv.Close()
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return lost
}

// base returns the URL at which clients reach the server.
func (f *serveFlags) base(listening string) string {
	scheme := "http://"
	if f.cert != "" || f.https {
		scheme = "https://"
	}
	host, port, err := net.SplitHostPort(listening)
	if err != nil {
		return scheme + listening
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	if len(f.hosts) > 0 {
		host = f.hosts[0]
	}
	return scheme + net.JoinHostPort(host, port)
}
