// Package web serves a campaign to people and programs. The package serves a page that shows the
// campaign live, and an HTTP and JSON API with server-sent events; /openapi.json describes the API.
//
//	s := web.New(c, web.Access{Loopback: true}, "http://127.0.0.1:8080")
//	err := web.HTTP(s).ListenAndServe()
//
// [Server] is an http.Handler. Without an [Access.Token], the server is for one machine, and must
// listen on a loopback address. If the server has a token, programs send the token as a bearer
// token. People open a link that works only once and sets a cookie.
//
// Everybody with access may report results. The server rejects cross-site requests, DNS rebinding
// and requests without a valid token, and limits rates and sizes of requests. The server encrypts
// connections only if it has a certificate.
package web
