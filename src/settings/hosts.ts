import * as z from 'zod';
import {textField} from './fields.ts';

const SETUP_RULE = 'must be shell lines that run before Python, as in "module load python/3.11"';
const GRACE = /^(\d{1,4})\s*(m|h|d)$/;
const UNIT_S = {m: 60, h: 3600, d: 86_400} as const;
const GRACE_RULE = 'must be a time such as "24h", "30m" or "7d"';

/** Fields of a host that servers are started on over SSH. */
export const hostFields = z.strictObject(
	{
		setup: z
			.string(SETUP_RULE)
			.max(4096, 'is longer than 4096 characters')
			.regex(/^[^\0]*$/, SETUP_RULE)
			.optional(),
		python: textField('the path of a Python there, as in "~/envs/ml/bin/python"', 1000).optional(),
		root: textField('a folder there, as in "~/work"', 1000).optional(),
		/** Seconds. */
		grace: z
			.string(GRACE_RULE)
			.regex(GRACE, GRACE_RULE)
			.transform(text => {
				const [, count = '0', unit = 'h'] = GRACE.exec(text) ?? [];
				return Number(count) * UNIT_S[unit as keyof typeof UNIT_S];
			})
			.optional(),
	},
	'must be an object such as {"python": "~/envs/ml/bin/python"}',
);

export type HostSettings = z.output<typeof hostFields>;

export const HOST_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,62}$/;
