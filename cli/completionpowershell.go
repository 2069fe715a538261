package cli

import (
	"fmt"
	"io"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// powershell completes from tables: each command's flags, the values of a flag, and the arguments.
// If nothing is offered, the shell offers files.
func powershell(w io.Writer, commands []*urfave.Command) {
	quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
	quoted := func(words []string) string {
		list := make([]string, len(words))
		for i, word := range words {
			list[i] = quote(word)
		}
		return "@(" + strings.Join(list, ", ") + ")"
	}
	fmt.Fprint(w, "# PowerShell completion of bcstage\nRegister-ArgumentCompleter -Native -CommandName bcstage, bcstage.exe -ScriptBlock {\n\tparam($word, $line, $position)\n\t$commands = [ordered]@{\n")
	for _, c := range commands {
		fmt.Fprintf(w, "\t\t%s = @{\n\t\t\tabout = %s\n\t\t\twords = %s\n\t\t\tflags = [ordered]@{\n", quote(c.Name), quote(c.Usage), quoted(words(c, commands)))
		for _, f := range rowsOf(c) {
			row := fmt.Sprintf("@{ about = %s; takes = $%t; list = $%t; values = %s }", quote(f.usage), f.takesValue(), f.several(), quoted(f.of))
			for _, name := range f.dashed() {
				fmt.Fprintf(w, "\t\t\t\t%s = %s\n", quote(name), row)
			}
		}
		fmt.Fprint(w, "\t\t\t}\n\t\t}\n")
	}
	fmt.Fprintf(w, `	}
	$given = @($line.CommandElements | Where-Object { $_.Extent.StartOffset -lt $position } | ForEach-Object { $_.ToString() })
	if ($word -ne '') { $given = @($given | Select-Object -SkipLast 1) }
	$name = %s
	if ($given.Count -gt 1 -and $commands.Contains($given[1])) { $name = $given[1] }
	$command = $commands[$name]
	$flag = $null
	if ($given.Count -gt 1) { $flag = $command.flags[$given[-1]] }
	$offer = { param($text, $about)
		if ($text -like "$($last)*") { [System.Management.Automation.CompletionResult]::new("$begin$text", $text, 'ParameterValue', $about) }
	}
	$begin = ''
	$last = $word
	if ($flag -and $flag.takes) {
		if ($flag.list -and $word.Contains(',')) {
			$begin = $word.Substring(0, $word.LastIndexOf(',') + 1)
			$last = $word.Substring($begin.Length)
		}
		foreach ($value in $flag.values) { & $offer $value $value }
		return
	}
	if ($word.StartsWith('-')) {
		foreach ($row in $command.flags.GetEnumerator()) { & $offer $row.Key $row.Value.about }
		return
	}
	if ($given.Count -eq 1) {
		foreach ($row in $commands.GetEnumerator()) { & $offer $row.Key $row.Value.about }
	}
	foreach ($value in $command.words) { & $offer $value $value }
}
`, quote(defaultCommand))
}
