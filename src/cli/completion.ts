// Completion scripts, as in cobra: they pass the line to `svc-tui __complete`, which contains the
// logic (complete.ts).
import type {Context} from './context.ts';
import {printResult} from './print.ts';
import {COMPLETE, FILES, type Shell} from './shells.ts';

// Readline splits words at : and =. Without compopt (bash 3.2, as on macOS), files are listed
// plainly.
const bash = `# svc-tui completion for bash. In ~/.bashrc: source <(svc-tui completion bash)
_svc_tui() {
	local row last=\${COMP_WORDS[COMP_CWORD]}
	[[ $last == [:=]* ]] && last=''
	COMPREPLY=()
	while IFS= read -r row; do
		if [[ $row != ${FILES}* ]]; then COMPREPLY+=("$row"); [[ $row != *[/:] ]] || compopt -o nospace 2>/dev/null
		elif type compopt >/dev/null 2>&1; then compopt -o default 2>/dev/null
		else while IFS= read -r last; do COMPREPLY+=("$last"); done < <(compgen -f -- "\${row#${FILES}}"); fi
	done < <("\${COMP_WORDS[0]/#\\~/$HOME}" ${COMPLETE} bash "\${COMP_LINE:0:COMP_POINT}" "$last" 2>/dev/null </dev/null)
}
complete -F _svc_tui svc-tui
`;

const zsh = `#compdef svc-tui
# svc-tui completion for zsh. In ~/.zshrc: source <(svc-tui completion zsh)
_svc_tui() {
	local -a rows
	rows=("\${(@f)$("\${(Q)words[1]/#\\~/$HOME}" ${COMPLETE} zsh "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null </dev/null)}")
	rows=("\${(@)rows:#}")
	(( $#rows )) || return 1
	[[ $PREFIX == -*=* ]] && compset -P '*='
	if [[ $rows[1] == ${FILES}* ]]; then _files
	elif [[ $rows[1] == *$'\\t'* ]]; then
		rows=("\${(@)\${(@)rows//:/\\\\:}/$'\\t'/:}")
		_describe svc-tui rows
	else
		local -a folders=(\${(M)rows:#*[/:]})
		rows=(\${rows:#*[/:]})
		compadd -S '' -a folders
		compadd -a rows
	fi
}
if [[ $funcstack[1] == _svc_tui ]]; then _svc_tui "$@"
else
	(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
	compdef _svc_tui svc-tui
fi
`;

const fish = `# svc-tui completion for fish. In ~/.config/fish/config.fish: svc-tui completion fish | source
function __svc_tui
	set -l words (commandline -opc)
	set -l typed (commandline -ct)
	set -l program $words[1]
	set -e words[1]
	set -l rows ($program ${COMPLETE} fish $words "$typed" 2>/dev/null </dev/null)
	if string match -q -- ${FILES}'*' "$rows[1]"
		set -l option (string match -r -- '^-[^=]*=' "$typed")
		__fish_complete_path (string replace -- "$option" '' "$typed") | string replace -r -- '^' "$option"
	else
		printf '%s\\n' $rows
	end
end
complete -c svc-tui -f -a '(__svc_tui)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = {bash, zsh, fish};

export const printCompletion = (
	context: Pick<Context, 'json' | 'jsonl' | 'stdout'>,
	shell: Shell,
): Promise<void> => printResult(context, {shell, script: SCRIPTS[shell]}, SCRIPTS[shell]);
