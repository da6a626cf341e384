// SGR 2 is not drawn by every terminal: xterm of some systems and urxvt ignore it, GNU screen over urxvt underlines instead.
import type {DimStyle} from '../tui/core/theme/palette.ts';

/** Set by terminals that draw it, in what they start. */
const MARKS = [
	'VTE_VERSION',
	'KITTY_WINDOW_ID',
	'KONSOLE_VERSION',
	'WEZTERM_PANE',
	'ALACRITTY_WINDOW_ID',
	'GHOSTTY_RESOURCES_DIR',
	'WT_SESSION',
];
const PROGRAMS = /^(?:iTerm\.app|Apple_Terminal|vscode|WezTerm|ghostty|mintty|Hyper|Tabby)$/;
const MULTIPLEXER = /^(?:screen|tmux)/;
/** What many call themselves; all of them know 256 colours, whatever the terminal's description says. */
const COMMON = /^(?:xterm(?!-kitty|-ghostty)|rxvt)/;

/** By what the environment tells of the terminal. */
export const dimStyleFor = (env: NodeJS.ProcessEnv): DimStyle => {
	const name = env['TERM'] ?? '';
	// Asked for 16 colours.
	if (/^(?:1|true|)$/.test(env['FORCE_COLOR'] ?? '0')) return 'faint';
	// Another terminal may have started it than the one that it draws on; each colour becomes one that this has.
	if (env['TMUX'] || env['STY'] || MULTIPLEXER.test(name)) return 'grey';
	if (MARKS.some(mark => env[mark]) || PROGRAMS.test(env['TERM_PROGRAM'] ?? '')) return 'faint';
	return COMMON.test(name) ? 'grey' : 'faint';
};
