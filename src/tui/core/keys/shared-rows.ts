// Rows of key groups that several dialogs or screens share.
import type {KeyContext, TextHandler} from '../program.ts';
import type {Rows} from './action.ts';
import {line, reading} from './binding-sets.ts';

const pages = {
	up: {keys: ['up'], label: 'Move up'},
	down: {keys: ['down'], label: 'Move down'},
	pageUp: {keys: ['pageup'], label: 'Page up'},
	pageDown: {keys: ['pagedown'], label: 'Page down'},
} as const satisfies Rows;

export const SHARED_ROWS = {
	filter: {
		accept: {keys: ['enter', 'tab'], label: 'to the list', hint: true},
		...pages,
		...line,
		leave: {keys: ['esc'], label: 'close the filter'},
	},
	confirm: {yes: {keys: ['y'], label: 'yes', hint: true}, no: {keys: ['esc', 'n'], label: 'no', hint: true}},
	reader: {...reading, close: {keys: ['esc', 'q', 'i'], label: 'close'}},
	told: {close: {keys: ['esc', 'enter'], label: 'close', hint: true}},
	chooser: {
		accept: {keys: ['enter'], label: 'choose', hint: true},
		complete: {keys: ['tab'], label: 'complete', hint: true},
		...pages,
		up: {keys: ['up', 'ctrl+p'], label: 'Move up'},
		down: {keys: ['down', 'ctrl+n'], label: 'Move down'},
		...line,
		close: {keys: ['esc'], label: 'close'},
	},
} as const satisfies Readonly<Record<string, Rows>>;
export type Shared = keyof typeof SHARED_ROWS;

/** Effect of an action in one dialog or screen. `now`: as in action.ts. */
export type Effect =
	(() => string | void) | {readonly now: () => string | null | undefined; readonly run: () => string | void};
export type Effects<S extends Shared> = Readonly<Record<keyof (typeof SHARED_ROWS)[S], Effect>> & {
	readonly typed?: TextHandler;
};
/** The effects in one dialog or screen, created for each key. */
export type SharedHandlers = {readonly [S in Shared]?: (at: KeyContext) => Effects<S>};
