// Not every terminal draws SGR 2: xterm of some systems and urxvt ignore it, and GNU screen over
// urxvt underlines instead.
import type {DimStyle} from '../tui/core/theme/colours.ts';

/** Variables that terminals with SGR 2 set for the programs they start. */
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

/** Chooses the style of dimmed text by the environment. */
export const dimStyleFor = (env: NodeJS.ProcessEnv): DimStyle => {
	const name = env['TERM'] ?? '';
	// The user requested 16 colours.
	if (/^(?:1|true|)$/.test(env['FORCE_COLOR'] ?? '0')) return 'faint';
	// A multiplexer may draw on another terminal than the one it was started in. It maps each
	// colour to a colour of the current terminal.
	if (env['TMUX'] || env['STY'] || MULTIPLEXER.test(name)) return 'grey';
	if (MARKS.some(mark => env[mark]) || PROGRAMS.test(env['TERM_PROGRAM'] ?? '')) return 'faint';
	return COMMON.test(name) ? 'grey' : 'faint';
};
