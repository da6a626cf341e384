import {filtered, line, list, type KeyScope} from '../core/keys/binding-sets.ts';

export const tableKeys = {
	tableRows: {
		where: 'table',
		isDialog: true,
		rows: [
			...list,
			{action: 'left', keys: ['left', 'h'], label: 'Column to the left'},
			{action: 'right', keys: ['right', 'l'], label: 'Column to the right'},
			{action: 'firstColumn', keys: ['0'], label: 'First column'},
			{action: 'lastColumn', keys: ['$'], label: 'Last column'},
			{action: 'sort', keys: ['s'], label: 'sort', hint: true},
			...filtered,
			{action: 'goTo', keys: ['c'], label: 'go to a column', hint: true},
			{action: 'facts', keys: ['i'], label: 'column facts', hint: true},
			{action: 'hide', keys: ['x'], label: 'Hide the column'},
			{action: 'unhide', keys: ['X'], label: 'Show all columns'},
			{action: 'otherHead', keys: ['H'], label: 'First row as a row, or as the head'},
			{action: 'copy', keys: ['y'], label: 'Copy the field'},
			{action: 'keys', keys: ['?'], label: 'keys', hint: true},
			{action: 'close', keys: ['esc'], label: 'back'},
		],
	},
	/** The field behind `/` of a table. */
	tableFilter: {
		where: 'filter of a table',
		isText: true,
		isDialog: true,
		rows: [
			{action: 'accept', keys: ['enter', 'tab'], label: 'to the rows', hint: true},
			{action: 'up', keys: ['up'], label: 'Move up'},
			{action: 'down', keys: ['down'], label: 'Move down'},
			...line,
			{action: 'leave', keys: ['esc'], label: 'clear the filter'},
		],
	},
} as const satisfies Record<string, KeyScope>;
