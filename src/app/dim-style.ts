// Style of dimmed text, because not every terminal draws SGR 2: urxvt and the xterm of some systems
// ignore it, and GNU screen in urxvt underlines instead.
import type {DimStyle} from '../tui/core/theme/colours.ts';

/** Variables set by terminals that draw SGR 2. */
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
/**
 * Values of `TERM` that many terminals use. All have 256 colours, even if their terminfo entry
 * lists fewer.
 */
const COMMON = /^(?:xterm(?!-kitty|-ghostty)|rxvt)/;

/** Style of dimmed text for this environment. */
export const dimStyleFor = (env: NodeJS.ProcessEnv): DimStyle => {
	const name = env['TERM'] ?? '';
	// The user requested 16 colours.
	if (/^(?:1|true|)$/.test(env['FORCE_COLOR'] ?? '0')) return 'faint';
	// A multiplexer may move to another terminal than the one in which it was started. It maps each
	// colour to a colour of the current terminal.
	if (env['TMUX'] || env['STY'] || MULTIPLEXER.test(name)) return 'grey';
	if (MARKS.some(mark => env[mark]) || PROGRAMS.test(env['TERM_PROGRAM'] ?? '')) return 'faint';
	return COMMON.test(name) ? 'grey' : 'faint';
};
