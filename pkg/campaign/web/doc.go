// Package web serves a campaign to people and programs: a page that shows where it stands, and an
// API of HTTP and JSON, described by OpenAPI at /openapi.json, with server-sent events.
//
// [Server] is an http.Handler. Without a [Access.Token] it is meant for one machine, bound to
// loopback; with one, programs send it as a bearer token, and people open a link that works once
// and leaves a cookie.
//
// Whoever may reach it may tell results. It defends against other web sites (requests across sites
// and DNS rebinding are refused), against strangers (token), and against mistakes (limits on rate
// and size, retries that change nothing); it does not encrypt, unless it is given a certificate.
package web
