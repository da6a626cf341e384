import {line, type KeyScope} from '../core/keys/binding-sets.ts';

export const profileKeys = {
	/** Address, name and key of a service. */
	signIn: {
		where: 'sign in',
		isText: true,
		isDialog: true,
		rows: [
			{action: 'accept', keys: ['enter'], label: 'next', hint: true},
			{action: 'next', keys: ['tab', 'down'], label: 'next field', hint: true},
			{action: 'previous', keys: ['shift+tab', 'up'], label: 'previous field', hint: true},
			{action: 'openKeyPage', keys: ['ctrl+o'], label: 'open the page where keys are made'},
			...line,
			{action: 'cancel', keys: ['esc'], label: 'close the form'},
		],
	},
} as const satisfies Record<string, KeyScope>;
