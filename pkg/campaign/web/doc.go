// Package web serves a campaign to people and programs: a page that follows it, and an HTTP and
// JSON API, described by OpenAPI at /openapi.json, with server-sent events.
//
//	s := web.New(c, web.Access{Loopback: true}, "http://127.0.0.1:8080")
//	err := web.HTTP(s).ListenAndServe()
//
// [Server] is an http.Handler. Without an [Access.Token] it is for one machine, bound to loopback.
// With one, programs send it as a bearer token, and people open a link that works once and sets a
// cookie.
//
// Everybody with access may report results. The server rejects requests of other web sites
// (cross-site requests, DNS rebinding) and of strangers (token), and limits rates and sizes. It
// does not encrypt without a certificate.
package web
