import {expect, test} from 'vitest';
import {dimStyleFor} from '../../src/app/dim-style.ts';

test.each([
	[{TERM: 'xterm'}, 'grey'],
	[{TERM: 'xterm-256color'}, 'grey'],
	[{TERM: 'rxvt-unicode-256color'}, 'grey'],
	[{TERM: 'xterm-256color', VTE_VERSION: '7006'}, 'faint'],
	[{TERM: 'xterm-256color', TERM_PROGRAM: 'vscode'}, 'faint'],
	[{TERM: 'xterm-kitty'}, 'faint'],
	[{TERM: 'alacritty'}, 'faint'],
	[{TERM: 'linux'}, 'faint'],
	[{TERM: 'vt220'}, 'faint'],
	[{TERM: 'xterm-256color', FORCE_COLOR: '1'}, 'faint'],
	[{}, 'faint'],
	// The terminal that shows a multiplexer may differ from the terminal in which it was started.
	[{TERM: 'screen', STY: '1.pts', VTE_VERSION: '7006'}, 'grey'],
	[{TERM: 'tmux-256color', TMUX: '/tmp/tmux', KITTY_WINDOW_ID: '1'}, 'grey'],
	[{TERM: 'screen.xterm-256color'}, 'grey'],
])('the environment %o dims by %s', (env, dimBy) => {
	expect(dimStyleFor(env)).toBe(dimBy);
});
