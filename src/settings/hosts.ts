import * as z from 'zod';
import {parseDuration} from '../text/duration.ts';
import {textField} from './fields.ts';

const SETUP_RULE = 'must be shell lines that run before Python, as in "module load python/3.11"';
const TIME = /^(?:(\d{1,3})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?$/;
const TIME_RULE = 'must be a time such as "8h", "90m" or "1d12h"';
const OPTION_RULE = 'must be a list of options of sbatch that start with "--", as in "--constraint=nvlink"';

const name = (what: string) => z.string(`must be ${what}`).regex(/^[\w.-]{1,64}$/, `must be ${what}`);

/** Slurm settings of a host, for the jobs in which servers run. */
const slurmFields = z.strictObject(
	{
		/** Time limit in minutes. */
		time: z
			.string(TIME_RULE)
			.min(1, TIME_RULE)
			.regex(TIME, TIME_RULE)
			.transform(text => {
				const [, days = '0', hours = '0', minutes = '0'] = TIME.exec(text) ?? [];
				return (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
			})
			.refine(minutes => minutes > 0, TIME_RULE)
			.optional(),
		account: name('the name of an account').optional(),
		qos: name('the name of a quality of service').optional(),
		partitions: z.array(name('a list of names of partitions')).optional(),
		requeue: z.boolean('must be true or false').optional(),
		options: z
			.array(
				z
					.string(OPTION_RULE)
					.max(1000)
					.regex(/^--[^\0\n\r]+$/, OPTION_RULE),
				OPTION_RULE,
			)
			.optional(),
	},
	'must be an object such as {"time": "8h", "account": "ab123"}',
);

const GRACE_RULE = 'must be a time such as "24h", "30m" or "7d"';

/** Settings of a host on which servers are started over SSH. */
export const hostFields = z.strictObject(
	{
		setup: z
			.string(SETUP_RULE)
			.max(4096, 'is longer than 4096 characters')
			.regex(/^[^\0]*$/, SETUP_RULE)
			.optional(),
		python: textField('the path of a Python there, as in "~/envs/ml/bin/python"', 1000).optional(),
		root: textField('a folder there, as in "~/work"', 1000).optional(),
		/** Time without activity after which a server ends, in seconds. */
		grace: z
			.string(GRACE_RULE)
			.refine(text => parseDuration(text) !== null, GRACE_RULE)
			.transform(text => (parseDuration(text) ?? 0) / 1000)
			.optional(),
		slurm: slurmFields.optional(),
		/** True to offer the login node of a cluster too. */
		loginNode: z.boolean('must be true or false').optional(),
		way: z.enum(['auto', 'node', 'srun'], 'must be "auto", "node" or "srun"').optional(),
	},
	'must be an object such as {"python": "~/envs/ml/bin/python"}',
);

export type HostSettings = z.output<typeof hostFields>;

export const HOST_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,62}$/;
