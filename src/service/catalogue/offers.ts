import {readFile} from 'node:fs/promises';
import * as z from 'zod';
import {computeStrict} from '../../contract/compute.ts';
import {environmentStrict, type Environment} from '../../contract/environments.ts';
import type {Offer, UserOptions} from './own-options.ts';
import {usageError, type ServeError} from '../serve-error.ts';
import {fieldsOf} from '../../text/record.ts';
import {codeOf} from '../../text/errors.ts';

const unusable = (file: string, why: string): ServeError =>
	usageError(`The catalogue ${file} cannot be used: ${why}.`);

const userOptions = {user_options: z.record(z.string(), z.unknown()).optional()};
// Requires an id, because an option without one could be shown but not requested.
const listed = computeStrict.extend({compute_id: z.string().min(1), ...userOptions});
const environments = z.array(environmentStrict.extend({environment_id: z.string().min(1), ...userOptions}));
const catalogue = z.union([
	z.array(z.unknown()),
	z.strictObject({
		$schema: z.unknown().optional(),
		compute: z.array(z.unknown()),
		environments: z.unknown().optional(),
		/** Present if the file is a copy of a response to GET /api/compute. */
		status: z.unknown().optional(),
	}),
]);

/**
 * JSON schema of the whole file, for editors. The reader validates it in parts instead, to give
 * better messages.
 */
export const catalogueFile = () =>
	z.union([
		z.array(listed),
		z.strictObject({
			$schema: z.string().optional(),
			compute: z.array(listed),
			environments: environments.optional(),
			status: z.unknown().optional(),
		}),
	]);

/** Environment defined by the service's operator. `userOptions`: options for a hub. */
export type OfferedEnvironment = {
	readonly environment: Environment;
	readonly userOptions?: UserOptions | undefined;
};
/** Content of the file. `environments` is null if the file contains none. */
export type Offered = {
	readonly offers: readonly Offer[];
	readonly environments: readonly OfferedEnvironment[] | null;
};

const unknownIn = (value: unknown): string => {
	const unknown = Object.keys(fieldsOf(value)).find(
		name => !['$schema', 'compute', 'environments', 'status'].includes(name),
	);
	return unknown === undefined ? '' : `it has ${JSON.stringify(unknown.slice(0, 60))}, but `;
};

const pathText = (path: readonly PropertyKey[]): string =>
	path.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');

const problemsOf = (
	items: readonly unknown[],
	taken: ReadonlySet<string>,
): {offers: Offer[]; problems: string[]} => {
	const offers: Offer[] = [];
	const problems: string[] = [];
	const seen = new Set(taken);
	for (const [index, item] of items.entries()) {
		const parsed = listed.safeParse(item);
		if (!parsed.success) {
			problems.push(
				...parsed.error.issues.map(issue => `compute[${index}]${pathText(issue.path)}: ${issue.message}`),
			);
			continue;
		}
		const {user_options: options, ...option} = parsed.data;
		const id = option.compute_id;
		if (seen.has(id)) problems.push(`compute[${index}].compute_id: ${JSON.stringify(id)} is already taken`);
		seen.add(id);
		offers.push({id, option, userOptions: options});
	}
	return {offers, problems};
};

const readEnvironments = (file: string, value: unknown): readonly OfferedEnvironment[] | null => {
	if (value === undefined) return null;
	const parsed = environments.safeParse(value);
	if (parsed.success)
		return parsed.data.map(({user_options: options, ...found}) => ({
			environment: found,
			userOptions: options,
		}));
	const problems = parsed.error.issues.map(issue => `environments${pathText(issue.path)}: ${issue.message}`);
	throw unusable(file, problems.slice(0, 3).join('; '));
};

/**
 * Reads compute options from a file: `{"compute": […]}`, or only the array. Each option has a
 * `compute_id`. The object may also contain `environments`. Entries may have `user_options` for a
 * hub.
 * @param taken Ids that the file must not use.
 * @throws {ServeError} 2 if the file cannot be used.
 */
export const readOffers = async (file: string, taken: ReadonlySet<string>): Promise<Offered> => {
	let value: unknown;
	try {
		value = JSON.parse(await readFile(file, 'utf8'));
	} catch (error) {
		const reason =
			error instanceof SyntaxError
				? `it is not JSON (${error.message})`
				: `it cannot be read (${codeOf(error) || 'unknown error'})`;
		throw unusable(file, reason);
	}
	const shape = catalogue.safeParse(value);
	if (!shape.success)
		throw unusable(
			file,
			`${unknownIn(value)}it must be an array of compute options, or an object with the array "compute" and optionally the array "environments"`,
		);
	const {offers, problems} = problemsOf(Array.isArray(shape.data) ? shape.data : shape.data.compute, taken);
	if (problems.length === 0)
		return {
			offers,
			environments: readEnvironments(file, Array.isArray(shape.data) ? undefined : shape.data.environments),
		};
	const more = problems.length > 3 ? `; and ${problems.length - 3} more` : '';
	throw unusable(file, problems.slice(0, 3).join('; ') + more);
};
