package cli

import "testing"

func TestRedacted(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "a-long-secret")
	t.Setenv("AWS_SESSION_TOKEN", "s") // too short to be one, and in every other word
	for text, want := range map[string]string{
		"edges.csv":                             "edges.csv",
		"user@host?x=y":                         "user@host?x=y", // a file's name
		"s3://lake/edges/*.parquet":             "s3://lake/edges/*.parquet",
		"s3://lake/edge?.parquet":               "s3://lake/edge?.parquet",
		"https://me:word@host/a/b.csv":          "https://***@host/a/b.csv",
		"https://me:w@rd@host:99/a":             "https://***@host:99/a",
		"https://host/a@b.csv":                  "https://host/a@b.csv",
		"https://host/a?X-Amz-Signature=12&b=3": "https://host/a?X-Amz-Signature=***&b=***",
		"--output=https://me@host/a?sig=%2F=":   "--output=https://***@host/a?sig=***",
		"a-long-secret.csv":                     "***.csv",
	} {
		if got := redacted(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
