import {list, type KeyScope} from '../core/keys/binding-sets.ts';

export const cellsKeys = {
	/**
	 * Completions at the cursor of the prompt or of a notebook's cell. Typed text and other keys
	 * still reach the field.
	 */
	completions: {
		where: 'the menu behind Tab',
		name: 'Completions',
		isText: true,
		isPassing: true,
		rows: [
			{action: 'accept', keys: ['enter'], label: 'take', hint: true},
			{action: 'next', keys: ['tab', 'down'], label: 'next', hint: true},
			{action: 'previous', keys: ['shift+tab', 'up'], label: 'previous', hint: true},
			{action: 'pageUp', keys: ['pageup'], label: 'Page up'},
			{action: 'pageDown', keys: ['pagedown'], label: 'Page down'},
			{action: 'close', keys: ['esc'], label: 'close the menu'},
		],
	},
	documentation: {
		where: 'documentation beside the code',
		name: 'Documentation',
		isText: true,
		isPassing: true,
		rows: [
			{action: 'pageDown', keys: ['pagedown'], label: 'read on', hint: true},
			{action: 'pageUp', keys: ['pageup'], label: 'Page up'},
			{action: 'close', keys: ['esc'], label: 'close the documentation'},
		],
	},
	/** The kernels of a server. */
	kernels: {
		where: 'kernels of a server',
		isDialog: true,
		rows: [
			...list,
			{action: 'use', keys: ['enter'], label: 'use in the REPL', hint: true},
			{action: 'interrupt', keys: ['i'], label: 'interrupt', hint: true, writes: true},
			{action: 'restart', keys: ['r'], label: 'restart', hint: true, writes: true},
			{action: 'shutDown', keys: ['x'], label: 'shut down', hint: true, writes: true},
			{action: 'close', keys: ['esc', 'q'], label: 'close'},
		],
	},
} as const satisfies Record<string, KeyScope>;
