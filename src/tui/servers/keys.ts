import {filtered, line, list, reading, sorted, type KeyScope, type Tab} from '../core/keys/binding-sets.ts';

export const serversTab: Tab = {id: 'servers', title: 'Servers', short: 'Srv', jump: '1'};

export const serverKeys = {
	servers: {
		where: 'servers',
		name: 'Servers',
		screen: 'servers',
		rows: [
			...list,
			{action: 'open', keys: ['enter'], label: 'open', hint: true},
			{action: 'start', keys: ['s'], label: 'start', also: 'boot run', hint: true, writes: true},
			{action: 'create', keys: ['c'], label: 'create', also: 'new rent', hint: true, writes: true},
			...filtered,
			{action: 'detail', keys: ['i'], label: 'details', hint: true},
			{action: 'addresses', keys: ['o'], label: 'addresses', also: 'URL link browser', hint: true},
			{action: 'copy', keys: ['y'], label: 'Copy the address'},
			{action: 'copyWithToken', keys: ['Y'], label: 'Copy the address with its token'},
			{action: 'jobs', keys: ['J'], label: 'Jobs of the server', also: 'background programs training'},
			{action: 'costs', keys: ['$'], label: 'Costs over days', also: 'money spent price estimate'},
			{action: 'duplicate', keys: ['d'], label: 'Create one like it', also: 'copy', writes: true},
			...sorted,
		],
	},
	/** Files, REPL or assistant of a server that is not ready. */
	offline: {
		where: 'a server that is not ready',
		name: 'This server',
		isPassing: true,
		rows: [
			{action: 'start', keys: ['s'], label: 'start', hint: true, writes: true},
			{action: 'tryAnyway', keys: ['ctrl+t'], label: 'try anyway', also: 'open', hint: true},
			...reading,
			{action: 'save', keys: ['w'], label: 'write to a file', hint: true},
		],
	},
	/** The addresses of a server. */
	addresses: {
		where: 'addresses',
		isDialog: true,
		rows: [
			{action: 'up', keys: ['up', 'k'], label: 'Move up'},
			{action: 'down', keys: ['down', 'j'], label: 'Move down'},
			{action: 'open', keys: ['enter', 'o'], label: 'open', hint: true},
			{action: 'copy', keys: ['y'], label: 'copy', hint: true},
			{action: 'copyWithToken', keys: ['Y'], label: 'copy with the token', hint: true},
			{action: 'close', keys: ['esc', 'q'], label: 'close'},
		],
	},
	form: {
		where: 'form of a server',
		isText: true,
		isDialog: true,
		rows: [
			{action: 'accept', keys: ['enter'], label: 'next', hint: true},
			{action: 'next', keys: ['tab'], label: 'next field', hint: true},
			{action: 'previous', keys: ['shift+tab'], label: 'previous field', hint: true},
			{action: 'earlier', keys: ['up'], label: 'Up in the list, or previous field'},
			{action: 'later', keys: ['down'], label: 'list or next field', hint: true},
			{action: 'pageUp', keys: ['pageup'], label: 'Page up in the list'},
			{action: 'pageDown', keys: ['pagedown'], label: 'Page down in the list'},
			...line,
			{action: 'cancel', keys: ['esc'], label: 'close the form'},
		],
	},
	/** The address of a Jupyter Server that runs elsewhere. */
	attach: {
		where: 'attach a server',
		isText: true,
		isDialog: true,
		rows: [
			{action: 'accept', keys: ['enter'], label: 'attach', hint: true},
			...line,
			{action: 'cancel', keys: ['esc'], label: 'close the form'},
		],
	},
	keep: {
		where: 'kernels to keep, on leaving',
		isDialog: true,
		rows: [
			{action: 'keep', keys: ['y', 'enter'], label: 'keep', hint: true},
			{action: 'end', keys: ['n'], label: 'end', hint: true},
			{action: 'close', keys: ['esc'], label: 'go on here'},
		],
	},
	/** The last page of a form, beside `confirm`. */
	review: {
		where: 'end of a form',
		isDialog: true,
		rows: [{action: 'change', keys: ['e'], label: 'make changes', hint: true}],
	},
} as const satisfies Record<string, KeyScope>;
