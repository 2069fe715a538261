package cli

import (
	"fmt"
	"io"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/cli/internal/generate"
)

func (p *process) completionCommand() *urfave.Command {
	return &urfave.Command{
		Name:        "completion",
		Usage:       "make a shell's completion script",
		ArgsUsage:   "bash|zsh|fish",
		Description: "Writes a script that teaches a shell the commands, flags and their values.",
		UsageText: `source <(bcstage completion bash)                     # now, or in ~/.bashrc
bcstage completion zsh > "${fpath[1]}/_bcstage"       # then start a new shell
bcstage completion fish > ~/.config/fish/completions/bcstage.fish`,
		Action: func(c *urfave.Context) error {
			scripts := map[string]func(io.Writer, []*urfave.Command){"bash": bash, "zsh": zsh, "fish": fish}
			script, ok := scripts[c.Args().First()]
			if !ok || c.NArg() != 1 {
				return usagef(c.Command, "want one of bash, zsh, fish")
			}
			var text strings.Builder
			script(&text, c.App.Commands)
			_, err := io.WriteString(p.stdout, text.String())
			return err
		},
	}
}

// words are what a command takes as its argument; nil for files.
func words(c *urfave.Command, commands []*urfave.Command) []string {
	var names []string
	switch c.Name {
	case "help":
		for _, other := range commands {
			names = append(names, other.Name)
		}
	case "generate", "bench":
		for _, k := range generate.Kinds() {
			names = append(names, k.Name)
		}
	case "completion":
		names = []string{"bash", "zsh", "fish"}
	}
	return names
}

// takesFiles tells whether the rest of the command line names files.
func takesFiles(c *urfave.Command) bool {
	return strings.Contains(c.ArgsUsage, "FILE") || strings.Contains(c.ArgsUsage, "GRAPH")
}

// namesFile tells whether a flag's value is the name of a file.
func namesFile(f urfave.Flag) bool {
	value, _ := placeholder(f.(urfave.DocGenerationFlag).GetUsage())
	return value == "FILE"
}

// bash completes by the command, the word before, and the word under way.
func bash(w io.Writer, commands []*urfave.Command) {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	fmt.Fprintf(w, `# bash completion of bcstage
_bcstage() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=%s
	local first=${COMP_WORDS[1]} flags= words= files=
	case $first in %s) [ "$COMP_CWORD" -gt 1 ] && command=$first ;; esac
	case $command in
`, defaultCommand, strings.Join(names, "|"))
	for _, c := range commands {
		fmt.Fprintf(w, "\t%s)\n\t\tcase $before in\n", c.Name)
		var flags []string
		for _, f := range c.Flags {
			flags = append(flags, dashed(f)...)
			switch {
			case allowed(f) != nil:
				fmt.Fprintf(w, "\t\t\t%s) COMPREPLY=($(compgen -W %q -- \"$word\")); return ;;\n", strings.Join(dashed(f), "|"), strings.Join(allowed(f), " "))
			case namesFile(f):
				fmt.Fprintf(w, "\t\t\t%s) compopt -o default; COMPREPLY=(); return ;;\n", strings.Join(dashed(f), "|"))
			case takesValue(f):
				fmt.Fprintf(w, "\t\t\t%s) COMPREPLY=(); return ;;\n", strings.Join(dashed(f), "|"))
			}
		}
		fmt.Fprintf(w, "\t\tesac\n\t\tflags=%q words=%q", strings.Join(flags, " "), strings.Join(words(c, commands), " "))
		if takesFiles(c) {
			fmt.Fprint(w, " files=yes")
		}
		fmt.Fprint(w, " ;;\n")
	}
	fmt.Fprintf(w, `	esac
	[ "$COMP_CWORD" -eq 1 ] && words=%q
	case $word in -*) words=$flags files= ;; esac
	COMPREPLY=($(compgen -W "$words" -- "$word"))
	[ -n "$files" ] && compopt -o default
}
complete -F _bcstage bcstage
`, strings.Join(names, " "))
}

func zsh(w io.Writer, commands []*urfave.Command) {
	// In a specification colons and brackets mean something; in single quotes
	// only the quote does.
	escape := strings.NewReplacer("'", `'\''`, ":", `\:`, "[", `\[`, "]", `\]`).Replace
	fmt.Fprint(w, "#compdef bcstage\n\n_bcstage() {\n\tlocal command=run\n\tlocal -a commands=(\n")
	for _, c := range commands {
		fmt.Fprintf(w, "\t\t'%s:%s'\n", c.Name, escape(c.Usage))
	}
	fmt.Fprint(w, "\t)\n\tif (( CURRENT > 2 )) && (( ${commands[(I)${words[2]}:*]} )); then\n\t\tcommand=${words[2]}\n\t\tshift words\n\t\t(( CURRENT-- ))\n\telif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\tfi\n\tcase $command in\n")
	for _, c := range commands {
		fmt.Fprintf(w, "\t%s)\n\t\t_arguments", c.Name)
		for _, f := range c.Flags {
			value, usage := placeholder(f.(urfave.DocGenerationFlag).GetUsage())
			for _, name := range dashed(f) {
				action := ""
				switch {
				case allowed(f) != nil:
					action = fmt.Sprintf(":%s:(%s)", value, strings.Join(allowed(f), " "))
				case namesFile(f):
					action = ":FILE:_files"
				case takesValue(f):
					action = fmt.Sprintf(":%s: ", value)
				}
				fmt.Fprintf(w, " \\\n\t\t\t'%s[%s]%s'", name, escape(usage), action)
			}
		}
		if names := words(c, commands); names != nil {
			fmt.Fprintf(w, " \\\n\t\t\t'1:%s:(%s)'", c.Name, strings.Join(names, " "))
		}
		if takesFiles(c) {
			fmt.Fprint(w, " \\\n\t\t\t'*:FILE:_files'")
		}
		fmt.Fprint(w, "\n\t\t;;\n")
	}
	fmt.Fprint(w, "\tesac\n}\n\nif [ \"$funcstack[1]\" = _bcstage ]; then _bcstage; else compdef _bcstage bcstage; fi\n")
}

func fish(w io.Writer, commands []*urfave.Command) {
	quote := func(text string) string { return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'" }
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	fmt.Fprintf(w, `# fish completion of bcstage
function __bcstage_command
	set -l words (commandline -opc)
	if set -q words[2]; and contains -- $words[2] %s
		echo $words[2]
	else
		echo %s
	end
end
`, strings.Join(names, " "), defaultCommand)
	for _, c := range commands {
		fmt.Fprintf(w, "complete -c bcstage -n __fish_is_first_token -a %s -d %s\n", c.Name, quote(c.Usage))
	}
	for _, c := range commands {
		condition := quote("test (__bcstage_command) = " + c.Name)
		if !takesFiles(c) {
			fmt.Fprintf(w, "complete -c bcstage -n %s -f\n", condition)
		}
		if names := words(c, commands); names != nil {
			fmt.Fprintf(w, "complete -c bcstage -n %s -a %s\n", condition, quote(strings.Join(names, " ")))
		}
		for _, f := range c.Flags {
			_, usage := placeholder(f.(urfave.DocGenerationFlag).GetUsage())
			line := fmt.Sprintf("complete -c bcstage -n %s -d %s", condition, quote(usage))
			for _, name := range dashed(f) {
				if strings.HasPrefix(name, "--") {
					line += " -l " + name[2:]
				} else {
					line += " -s " + name[1:]
				}
			}
			switch {
			case allowed(f) != nil:
				line += " -x -a " + quote(strings.Join(allowed(f), " "))
			case namesFile(f):
				line += " -r -F"
			case takesValue(f):
				line += " -x"
			}
			fmt.Fprintln(w, line)
		}
	}
}
