package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"bcstage/internal/expression"
)

// secrets hide the credentials that a process was given, in its arguments and its
// environment, wherever it may speak of them: messages, statistics, metrics, pages.
// Scores, and whatever else is data, pass as they are.
type secrets struct {
	replace *strings.Replacer // nil: there are none
}

const hidden = "***"

// leastSecret is how long a credential is that is hidden without what stands round it: a
// shorter one is a part of too many words.
const leastSecret = 6

// secretsOf finds the credentials in arguments and in variables, NAME=VALUE.
func secretsOf(args, environment []string) secrets {
	found := map[string]string{} // what to write in the place of what
	for _, arg := range args {
		findInURLs(found, arg)
	}
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		switch {
		case name == "AWS_SECRET_ACCESS_KEY" || name == "AWS_SESSION_TOKEN":
			hide(found, value)
		case strings.HasPrefix(name, "BCSTAGE_") || strings.HasPrefix(name, "AWS_") || strings.HasSuffix(strings.ToUpper(name), "_PROXY"):
			findInURLs(found, value)
		}
	}
	if len(found) == 0 {
		return secrets{}
	}
	for text, in := range maps.Clone(found) { // as JSON and HTML have them
		quoted, err := json.Marshal(text)
		if err == nil {
			found[string(quoted[1:len(quoted)-1])] = in
		}
		found[html.EscapeString(text)] = in
	}
	var pairs []string
	for _, text := range slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }) {
		pairs = append(pairs, text, found[text])
	}
	return secrets{strings.NewReplacer(pairs...)}
}

// hide hides a credential by itself, if it is long enough, also where it is written in
// percents or read from them.
func hide(found map[string]string, secret string) {
	if len(secret) < leastSecret {
		return
	}
	found[secret] = hidden
	if plain, err := url.PathUnescape(secret); err == nil && len(plain) >= leastSecret {
		found[plain] = hidden
	}
	found[url.QueryEscape(secret)] = hidden
}

// findInURLs finds what the URLs in a text may hold of credentials: user and password, and
// every value behind a question mark or a hash, as signed URLs and tokens have them.
func findInURLs(found map[string]string, text string) {
	for _, begin := range urlBegin().FindAllStringIndex(text, -1) {
		rest := text[begin[1]:]
		place, query := rest, ""
		if at := strings.IndexAny(rest, "?#"); at >= 0 {
			place, query = rest[:at], rest[at+1:]
		}
		user := userIn(place)
		if user == "" && strings.Contains(place, ":") { // the mark may be one of the password
			user = userIn(rest)
		}
		if user != "" {
			found[user+"@"] = hidden + "@"
			name, password, both := strings.Cut(user, ":")
			if both {
				found[user] = hidden
			}
			for _, part := range append(strings.Split(password, "/"), name, password) { // a path is taken apart at its slashes
				hide(found, part)
			}
		}
		for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == '#' }) {
			name, value, set := strings.Cut(pair, "=")
			if !set || value == "" {
				continue
			}
			found[pair] = name + "=" + hidden
			if secretName().MatchString(name) {
				hide(found, value)
			}
		}
	}
}

// urlBegin matches what a URL begins with, also where a path's functions have made one slash of two.
var urlBegin = expression.Lazy(`(?i)[a-z0-9+.-]{2,}:/+|://+`)

// userIn is what stands before the @ of a URL's host: USER or USER:PASSWORD; "" if nothing
// does. Passwords with a slash, as secret keys have, are looked for up to the last @.
func userIn(place string) string {
	host, _, _ := strings.Cut(place, "/")
	_, port, colon := strings.Cut(host, ":")
	if colon && strings.Trim(port, "0123456789") != "" {
		host = place
	}
	return host[:max(strings.LastIndex(host, "@"), 0)]
}

// secretName matches the parameters of a URL whose values are hidden wherever they stand.
var secretName = expression.Lazy(`(?i)sig|token|secret|key|pass|cred|auth`)

// mask is a text without the credentials.
func (s secrets) mask(text string) string {
	if s.replace == nil {
		return text
	}
	return s.replace.Replace(text)
}

// writer passes on what is written without the credentials. A message comes in one piece.
func (s secrets) writer(w io.Writer) io.Writer {
	if s.replace == nil {
		return w
	}
	return masked{w, s}
}

type masked struct {
	to      io.Writer
	secrets secrets
}

func (m masked) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.to, m.secrets.mask(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// whole has write make a text, and passes it on without the credentials.
func (s secrets) whole(w io.Writer, write func(io.Writer) error) error {
	if s.replace == nil {
		return write(w)
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	_, err := io.WriteString(w, s.mask(text.String()))
	return err
}
