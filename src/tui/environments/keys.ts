import {filtered, list, type KeyScope, type Tab} from '../core/keys/binding-sets.ts';

export const environmentsTab: Tab = {id: 'environments', title: 'Environments', short: 'Env', jump: '3'};

export const environmentKeys = {
	environments: {
		where: 'environments',
		name: 'Environments',
		screen: 'environments',
		rows: [
			...list,
			{action: 'create', keys: ['enter', 'c'], label: 'create server', hint: true, writes: true},
			{action: 'scrollDown', keys: ['J', 'shift+down'], label: 'Scroll the description down'},
			{action: 'scrollUp', keys: ['K', 'shift+up'], label: 'Scroll the description up'},
			...filtered,
		],
	},
} as const satisfies Record<string, KeyScope>;
