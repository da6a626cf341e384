// Completion scripts. All three read the line alike: the commands on it lead to a path, an option that takes a value is followed by it,
// and what is left are the command's arguments. The table is in the script, so that only live names cost a start of the program.
import type {Command} from 'commander';
import {completionTable, kindText, type CompletedOption, type CompletionTable} from './completion-table.ts';
import type {Context} from './context.ts';
import {CANDIDATES, type Shell} from './shells.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const fishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

type Case = {readonly key: string; readonly rows: readonly string[]};
type Rows = (items: readonly {readonly name: string; readonly what: string}[]) => readonly string[];

const names: Rows = items => items.map(({name}) => name);
/** What the shell shows beside a name stands behind a tab. */
const described: Rows = items => items.map(({name, what}) => `${name}\t${what}`);
const optionItems = (options: readonly CompletedOption[]) => options.flatMap(({names: all, what}) => all.map(name => ({name, what})));

/** Keyed by option: a dot, then what its value is; two dots where several may follow. */
const values = (options: readonly CompletedOption[], path: string): readonly Case[] =>
	options.filter(({valued}) => valued).flatMap(({names: all, many, kind}) => all.map(name => ({key: `${path} ${name}`, rows: [`${many ? '..' : '.'}${kindText(kind)}`]})));

const GLOBAL = '@';

/** What the functions of a script answer, by what they are asked. */
const functionsOf = ({commands, global}: CompletionTable, rows: Rows): Readonly<Record<'known' | 'below' | 'options' | 'value' | 'place', readonly Case[]>> => ({
	known: commands.map(({path}) => ({key: path, rows: ['yes']})),
	below: commands.map(({path, below}) => ({key: path, rows: rows(below)})),
	options: [...commands.map(({path, options}) => ({key: path, rows: rows(optionItems(options))})), {key: GLOBAL, rows: rows(optionItems(global))}],
	value: [...commands.flatMap(({path, options}) => values(options, path)), ...values(global, GLOBAL)],
	place: commands.flatMap(({path, places, many}) => places.map((kind, index) => ({key: `${path} ${many && index === places.length - 1 ? '*' : index}`, rows: [kindText(kind)]}))),
});

/** Keys with one answer share a case. */
const merged = (all: readonly Case[]): readonly {readonly keys: readonly string[]; readonly rows: readonly string[]}[] => {
	const byRows = new Map<string, {keys: string[]; rows: readonly string[]}>();
	const cases = all.filter(({rows}) => rows.some(row => row !== ''));
	for (const {key, rows} of cases) {
		const same = byRows.get(rows.join('\n'));
		if (same) same.keys.push(key);
		else byRows.set(rows.join('\n'), {keys: [key], rows});
	}
	// A pattern comes behind the keys that it would fit too.
	const isPattern = ({keys}: {readonly keys: readonly string[]}): boolean => keys.some(key => key.endsWith(' *'));
	return [...byRows.values()].sort((a, b) => Number(isPattern(a)) - Number(isPattern(b)));
};

/** A `*` at the end of a key stays a pattern; in fish it does within quotes. */
const pattern = (key: string): string => (key.endsWith(' *') ? `${quoted(key.slice(0, -1))}*` : quoted(key));

const posixFunctions = (table: CompletionTable, rowsOf: Rows): string => Object.entries(functionsOf(table, rowsOf)).map(([name, cases]) =>
	[`_svc_tui_${name}() {`, '\tcase $1 in', ...merged(cases).map(({keys, rows}) => `\t\t${keys.map(pattern).join('|')}) printf '%s\\n' ${rows.map(quoted).join(' ')};;`), '\tesac', '}'].join('\n')).join('\n');

const fishFunctions = (table: CompletionTable): string => Object.entries(functionsOf(table, described)).map(([name, cases]) =>
	[`function __svc_tui_${name}`, '\tswitch $argv[1]', ...merged(cases).map(({keys, rows}) => `\t\tcase ${keys.map(fishQuoted).join(' ')}\n\t\t\tprintf '%s\\n' ${rows.map(fishQuoted).join(' ')}`), '\tend', 'end'].join('\n')).join('\n');

/** Options that say which service is meant: the names come from there. */
const SERVICE = ['--base-url', '--profile', '--api-key-file', '--ca-file'] as const;

// Readline cuts words at : and =, so they are put together again, and what it has already is taken off the answers.
const bash = (table: CompletionTable): string => `# svc-tui completion for bash. In ~/.bashrc: source <(svc-tui completion bash)
${posixFunctions(table, names)}
_svc_tui() {
	local word value kind row name cur='' last='' path='' option='' count=0 index ended=''
	local -a words service rows
	for ((index = 0; index <= COMP_CWORD; index++)); do
		word=\${COMP_WORDS[index]}
		if [[ -n $last && -n $word && ( $word == [:=]* || $last == *[:=] ) && $COMP_LINE == *"$last$word"* ]]; then words[\${#words[@]}-1]+=$word
		else words+=("$word"); fi
		last=$word
	done
	cur=\${words[\${#words[@]}-1]}
	for ((index = 1; index < \${#words[@]} - 1; index++)); do
		word=\${words[index]}
		if [[ -z $ended && $word == -* && $word != - ]]; then
			[[ $word == -- ]] && ended=yes
			name=\${word%%=*}; value=\${words[index+1]}; option=''
			kind=$(_svc_tui_value "$path $name")
			[[ -n $kind || $path == ' serve' ]] || kind=$(_svc_tui_value "@ $name")
			if [[ $word == *=* ]]; then value=\${word#*=}
			elif [[ -n $kind ]]; then
				[[ $index -eq $((\${#words[@]} - 2)) || $kind == ..* ]] && option=$name
				((index++))
			fi
			case $name in
				${SERVICE.join('|')}) value=\${value//[\\"\\']/}; [[ $value == - ]] || service+=("$name" "$value");;
				--insecure-http) service+=("$name");;
			esac
		elif [[ -n $(_svc_tui_known "$path $word") ]]; then path+=" $word"
		elif [[ -z $option ]]; then ((count++)); fi
	done
	local typed=$cur
	if [[ -z $ended && -z $option && $cur == -*=* ]]; then option=\${cur%%=*}; typed=\${cur#*=}; fi
	if [[ -n $option && ( $cur != -* || $typed != "$cur" ) ]]; then kind=$(_svc_tui_value "$path $option"); [[ -n $kind || $path == ' serve' ]] || kind=$(_svc_tui_value "@ $option"); kind=\${kind#.}; kind=\${kind#.}
	elif [[ -z $ended && $cur == -* ]]; then kind=$(_svc_tui_options "$path"); [[ $path == ' serve' ]] || kind+=$'\n'$(_svc_tui_options '@')
	elif [[ -n $(_svc_tui_below "$path") ]]; then kind=$(_svc_tui_below "$path")
	else kind=$(_svc_tui_place "$path $count"); fi
	COMPREPLY=()
	if [[ $kind == paths ]]; then
		if type compopt >/dev/null 2>&1; then compopt -o default 2>/dev/null
		else while IFS= read -r row; do COMPREPLY+=("$row"); done < <(compgen -f -- "$typed"); fi
		return
	fi
	if [[ $kind == @* ]]; then kind=$("\${words[0]/#\\~/$HOME}" candidates "\${kind#@}" "\${service[@]}" 2>/dev/null </dev/null)
	else kind=\${kind// /$'\\n'}; fi
	last=\${COMP_WORDS[COMP_CWORD]}
	[[ $last == [:=]* ]] && last=''
	local before=\${typed%"$last"}
	local quote=\${typed:0:1}
	typed=\${typed//[\\"\\'\\\\]/}
	while IFS= read -r row; do
		[[ -n $row && $row == "$typed"* ]] || continue
		row=\${row#"$before"}
		case $quote in
			\\') [[ $row == *\\'* ]] && continue;;
			'"') row=\${row//\\\\/\\\\\\\\}; row=\${row//'"'/'\\"'}; row=\${row//'$'/'\\$'}; row=\${row//'\`'/'\\\`'};;
			*) printf -v row %q "$row";;
		esac
		COMPREPLY+=("$row")
	done <<<"$kind"
}
complete -F _svc_tui svc-tui
`;

const zsh = (table: CompletionTable): string => `#compdef svc-tui
# svc-tui completion for zsh. In ~/.zshrc, after compinit: source <(svc-tui completion zsh)
${posixFunctions(table, described)}
_svc_tui() {
	local word value kind name where='' option='' ended='' row
	local -i count=0 index
	local -a service rows shown
	for ((index = 2; index < CURRENT; index++)); do
		word=\${(Q)words[index]}
		if [[ -z $ended && $word == -* && $word != - ]]; then
			[[ $word == -- ]] && ended=yes
			name=\${word%%=*}; value=\${(Q)words[index+1]}; option=''
			kind=$(_svc_tui_value "$where $name")
			[[ -n $kind || $where == ' serve' ]] || kind=$(_svc_tui_value "@ $name")
			if [[ $word == *=* ]]; then value=\${word#*=}
			elif [[ -n $kind ]]; then
				[[ $index -eq $((CURRENT - 1)) || $kind == ..* ]] && option=$name
				((index++))
			fi
			case $name in
				${SERVICE.join('|')}) [[ $value == - ]] || service+=("$name" "$value");;
				--insecure-http) service+=("$name");;
			esac
		elif [[ -n $(_svc_tui_known "$where $word") ]]; then where+=" $word"
		elif [[ -z $option ]]; then ((count += 1)); fi
	done
	word=$PREFIX
	if [[ -z $ended && -z $option && $word == -*=* ]]; then option=\${word%%=*}; compset -P '*='; word=$PREFIX
	elif [[ -z $ended && $word == -* ]]; then
		rows=("\${(@f)$(_svc_tui_options "$where"; [[ $where == ' serve' ]] || _svc_tui_options '@')}")
		shown=("\${(@)\${(@)rows//:/\\\\:}/$'\\t'/:}")
		_describe -o option shown
		return
	fi
	if [[ -n $option ]]; then kind=$(_svc_tui_value "$where $option"); [[ -n $kind || $where == ' serve' ]] || kind=$(_svc_tui_value "@ $option"); kind=\${kind#.}; kind=\${kind#.}
	elif [[ -n $(_svc_tui_below "$where") ]]; then
		rows=("\${(@f)$(_svc_tui_below "$where")}")
		shown=("\${(@)\${(@)rows//:/\\\\:}/$'\\t'/:}")
		_describe command shown
		return
	else kind=$(_svc_tui_place "$where $count"); fi
	case $kind in
		'') ;;
		paths) _files;;
		@*) rows=("\${(@f)$("\${(Q)words[1]/#\\~/$HOME}" candidates "\${kind#@}" "\${service[@]}" 2>/dev/null </dev/null)}"); rows=("\${(@)rows:#}"); (( \${#rows} )) && compadd -a rows;;
		*) compadd -- \${=kind};;
	esac
}
if [[ $funcstack[1] == _svc_tui ]]; then _svc_tui "$@"; else compdef _svc_tui svc-tui; fi
`;

const fish = (table: CompletionTable): string => `# svc-tui completion for fish. In ~/.config/fish/config.fish: svc-tui completion fish | source
${fishFunctions(table)}
function __svc_tui
	set -l words (commandline -opc)
	set -l cur (commandline -ct)
	set -l where ''
	set -l option ''
	set -l ended ''
	set -l count 0
	set -l service
	set -l index 2
	while test $index -le (count $words)
		set -l word $words[$index]
		if test -z "$ended"; and string match -qr -- '^-.' $word
			test "$word" = --; and set ended yes
			set -l name (string replace -r -- '=.*' '' $word)
			set -l value ''
			set -q words[(math $index + 1)]; and set value $words[(math $index + 1)]
			set -l kind (__svc_tui_value "$where $name")
			test -n "$kind" -o "$where" = ' serve'; or set kind (__svc_tui_value "@ $name")
			set option ''
			if string match -q -- '*=*' $word
				set value (string replace -r -- '^[^=]*=' '' $word)
			else if test -n "$kind"
				if test $index -eq (count $words); or string match -q -- '..*' $kind
					set option $name
				end
				set index (math $index + 1)
			end
			switch $name
				case ${SERVICE.join(' ')}
					test "$value" = -; or set -a service $name $value
				case --insecure-http
					set -a service $name
			end
		else if test -n "$(__svc_tui_known "$where $word")"
			set where "$where $word"
		else if test -z "$option"
			set count (math $count + 1)
		end
		set index (math $index + 1)
	end
	set -l before ''
	if test -z "$ended"; and test -z "$option"; and string match -q -- '-*=*' $cur
		set option (string replace -r -- '=.*' '' $cur)
		set before "$option="
	else if test -z "$ended"; and string match -q -- '-*' $cur
		__svc_tui_options $where
		test "$where" = ' serve'; or __svc_tui_options '@'
		return
	end
	set -l kind
	if test -n "$option"
		set kind (__svc_tui_value "$where $option")
		test -n "$kind" -o "$where" = ' serve'; or set kind (__svc_tui_value "@ $option")
		set kind (string replace -r -- '^\\.\\.?' '' $kind)
	else if test -n "$(__svc_tui_below $where)"
		__svc_tui_below $where
		return
	else
		set kind (__svc_tui_place "$where $count")
	end
	switch "$kind"
		case ''
		case paths
			__fish_complete_path (string replace -- "$before" '' $cur) | string replace -r -- '^' $before
		case '@*'
			$words[1] ${CANDIDATES} (string sub -s 2 -- $kind) $service 2>/dev/null </dev/null | string replace -r -- '^' $before
		case '*'
			string split -- ' ' $kind | string replace -r -- '^' $before
	end
end
complete -c svc-tui -f -a '(__svc_tui)'
`;

const SCRIPTS: Readonly<Record<Shell, (table: CompletionTable) => string>> = {bash, zsh, fish};

/** `completion` */
export const printCompletion = async ({stdout}: Pick<Context, 'stdout'>, shell: Shell, root: Command): Promise<number> => {
	await stdout.write(SCRIPTS[shell](completionTable(root)));
	return 0;
};
