package web

import (
	"html/template"
	"net/http"
	"strings"
)

// enterPath is where links that work once lead. Opening one changes nothing, so that programs which
// look at links in messages do not use them up: the person presses a button.
const enterPath = "/enter"

var enterPage = template.Must(template.New("enter").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>purexp campaign</title><link rel="stylesheet" href="/assets/page.css"></head>
<body><main><section><h1>purexp campaign</h1><p>{{.Text}}</p>
{{if .Key}}<form method="post" action="/enter"><input type="hidden" name="key" value="{{.Key}}">
<p><button class="primary" autofocus>Open the campaign</button></p></form>{{end}}
</section></main></body></html>
`))

// writeEnter writes a page with a text, and a button if there is a key.
func writeEnter(w http.ResponseWriter, status int, key, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = enterPage.Execute(w, struct{ Key, Text string }{key, text}) // who has gone hears nothing
}

// enter shows the button, and gives a cookie for a key.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	if s.guard.keys == nil {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	if r.Method != http.MethodPost {
		writeEnter(w, http.StatusOK, r.URL.Query().Get("key"), "You are invited to a campaign. "+
			"The link works once; this browser then has access for a week.")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	if !s.guard.keys.use(strings.TrimSpace(r.PostFormValue("key"))) {
		if !s.guard.visitors.of(r.RemoteAddr, false).failures.Allow() { // good links cost nothing
			w.Header().Set("Retry-After", "1")
			writeProblem(w, r, http.StatusTooManyRequests,
				"too many links were tried from this address")
			return
		}
		writeEnter(w, http.StatusForbidden, "", "This link was used before, or is older than a "+
			"day. Ask for a new one.")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: s.guard.keys.cookieName(),
		Value: s.guard.keys.cookie(), Path: "/", MaxAge: int(cookieLife.Seconds()), HttpOnly: true, Secure: s.guard.access.TLS,
		SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
