// Limits at which the service stops servers: from the settings file, and from `serve --limits`.
import * as z from 'zod';
import {pathOf} from '../machine/paths.ts';
import {parseDuration} from '../text/duration.ts';
import {contentOfFile, schemaField, textField, unknownField} from './fields.ts';
import {readJson} from './json-text.ts';

export const DURATION_RULE = 'must be a duration, as in "30m", "8h" or "2d"';
const BUDGET_RULE = 'must be a number above 0, as in 20';
const NOTIFY_RULE = 'must be a web address, as in "https://example.com/hook", or the path of a program';
const NO_KEY = 'remove it: keys are not needed here';

const duration = z
	.string(DURATION_RULE)
	.refine(text => parseDuration(text) !== null, DURATION_RULE)
	.transform(parseDuration)
	.optional();

const ofUser = {
	/** Time without use after which a server is stopped, in ms. */
	idleStop: duration,
	/** Longest time from start to stop, in ms. */
	maxRun: duration,
	/** Cost of a calendar day at which servers that cost money are stopped. */
	dailyBudget: z.number(BUDGET_RULE).positive(BUDGET_RULE).optional(),
};

const fields = {...ofUser, notify: textField(NOTIFY_RULE.slice('must be '.length), 2000).optional()};

/** `limits` of the settings. */
export const limitFields = z.strictObject(fields, 'must be an object such as {"idleStop": "1h"}');

/** Schema of the file of `serve --limits`. */
export const limitsFile = z.strictObject(
	{
		$schema: schemaField,
		...fields,
		users: z
			.record(
				z.string(),
				z.strictObject(ofUser, 'must be an object such as {"dailyBudget": 5}'),
				'must be an object such as {"ann@example.com": {"dailyBudget": 5}}',
			)
			.optional(),
	},
	'must be an object such as {"idleStop": "1h"}',
);

/** Limits of servers that set no limits themselves. */
export type UserLimits = {
	readonly idleStop?: number | null | undefined;
	readonly maxRun?: number | null | undefined;
	readonly dailyBudget?: number | undefined;
};
export type StopSettings = UserLimits & {
	/** Web address, or absolute path of a program, that receives warnings and stops. */
	readonly notify?: string | undefined;
	readonly users?: Readonly<Record<string, UserLimits>> | undefined;
};

/** The file cannot be used. The message is a sentence with the fix. */
export class LimitsError extends Error {}

const withPath = ({notify, ...limits}: StopSettings, file: string): StopSettings => ({
	...limits,
	...(notify !== undefined && {notify: /^https?:\/\//i.test(notify) ? notify : pathOf(notify, file)}),
});

/** @throws {LimitsError} if the file is missing or invalid. */
export const readLimits = (file: string): StopSettings => {
	const fail = (why: string): LimitsError =>
		new LimitsError(`The limits file ${file} cannot be used: ${why}.`);
	const text = contentOfFile(file, 'name another with --limits', fail);
	if (text === undefined) throw fail('there is no such file');
	const read = readJson(text);
	if (!('value' in read)) throw fail(`line ${read.faultLine} is not JSON`);
	const parsed = limitsFile.safeParse(read.value);
	if (parsed.success) return withPath(parsed.data, file);
	const [issue] = parsed.error.issues;
	const names = Object.keys(limitsFile.shape).slice(1).join(', ');
	throw fail(
		issue?.code === 'unrecognized_keys'
			? unknownField(issue, `its fields are ${names}`, NO_KEY)
			: `${issue?.path.join('.') || 'it'} ${issue?.message}`,
	);
};

/**
 * Reads `limits` of a settings file, for a service that the program starts. Ignores invalid limits,
 * which the program itself reports.
 */
export const limitsInSettings = (file: string): StopSettings => {
	const read = readJson(contentOfFile(file, '', why => new LimitsError(why)) ?? '');
	const found = 'value' in read ? z.object({limits: limitFields}).safeParse(read.value) : null;
	return found?.success === true ? withPath(found.data.limits, file) : {};
};
