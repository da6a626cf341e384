import type {KeyScope} from '../core/keys/binding-sets.ts';

export const pictureKeys = {
	picture: {
		where: 'picture',
		isDialog: true,
		rows: [
			{action: 'outside', keys: ['o'], label: 'your picture viewer', hint: true},
			{action: 'save', keys: ['S'], label: 'save', hint: true},
			{action: 'close', keys: ['esc', 'q'], label: 'back'},
		],
	},
} as const satisfies Record<string, KeyScope>;
