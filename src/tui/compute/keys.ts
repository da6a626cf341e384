import {list, reading, sorted, type KeyScope, type Tab} from '../core/keys/binding-sets.ts';

export const computeTab: Tab = {id: 'compute', title: 'Compute', short: 'Cmp', jump: '2'};

export const computeKeys = {
	compute: {
		where: 'compute',
		name: 'Compute',
		screen: 'compute',
		rows: [
			...list,
			{action: 'create', keys: ['c'], label: 'create server', also: 'new rent', hint: true, writes: true},
			{action: 'filter', keys: ['/'], label: 'query', hint: true},
			{action: 'regions', keys: ['r'], label: 'regions', also: 'country location', hint: true},
			{action: 'gpu', keys: ['m'], label: 'GPU model', also: 'card', hint: true},
			{action: 'available', keys: ['a'], label: 'available only', hint: true},
			{action: 'minGpus', keys: ['n'], label: 'Minimum number of GPUs'},
			{action: 'minVram', keys: ['v'], label: 'Minimum VRAM per GPU'},
			{action: 'maxPrice', keys: ['p'], label: 'Maximum price', also: 'cost budget'},
			{action: 'host', keys: ['h'], label: 'Host'},
			{action: 'removeLast', keys: ['u'], label: 'Remove the last part of the filter'},
			{action: 'showAll', keys: ['U'], label: 'Clear the filter'},
			...sorted,
			{action: 'group', keys: ['b'], label: 'Group by GPU, region or host, or not at all'},
			{
				action: 'open',
				keys: ['enter'],
				label: 'Create a server with it; expand or collapse a group',
				hint: true,
			},
			{action: 'mark', keys: ['space'], label: 'Mark it to compare'},
			{action: 'compare', keys: ['C'], label: 'Compare the marked rows side by side'},
			{action: 'watch', keys: ['w'], label: 'Watch for its GPU in the chosen regions', hint: true},
			{action: 'changes', keys: ['d'], label: 'What the last refresh changed'},
		],
	},
	/** A table in a box: offers side by side, changes. */
	table: {
		where: 'side by side, changes',
		isDialog: true,
		rows: [
			...reading,
			{action: 'left', keys: ['left', 'h'], label: 'previous column', hint: true},
			{action: 'right', keys: ['right', 'l'], label: 'next column', hint: true},
			{action: 'close', keys: ['esc', 'q', 'enter'], label: 'close'},
		],
	},
} as const satisfies Record<string, KeyScope>;
