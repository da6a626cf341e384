import type {KeyScope} from '../core/keys/binding-sets.ts';

export const pictureKeys = {
	picture: {where: 'picture', isDialog: true, rows: [{action: 'close', keys: ['esc', 'q'], label: 'back'}]},
} as const satisfies Record<string, KeyScope>;
