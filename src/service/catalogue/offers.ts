import {readFile} from 'node:fs/promises';
import * as z from 'zod';
import {computeOption} from '../../contract/compute.ts';
import type {Offer} from './own-options.ts';

/** A catalogue file that cannot be used; the message names the file and what to mend. */
export class CatalogueError extends Error {}

// In a file an option without an id could be shown but never be requested.
const listed = computeOption.extend({compute_id: z.string().min(1)});
const catalogue = z.union([z.array(z.unknown()), z.object({compute: z.array(z.unknown())})]);

const pathText = (path: readonly PropertyKey[]): string =>
	path.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');

const problemsOf = (items: readonly unknown[], taken: ReadonlySet<string>): {offers: Offer[]; problems: string[]} => {
	const offers: Offer[] = [];
	const problems: string[] = [];
	const seen = new Set(taken);
	for (const [index, item] of items.entries()) {
		const parsed = listed.safeParse(item);
		if (!parsed.success) {
			problems.push(...parsed.error.issues.map(issue => `compute[${index}]${pathText(issue.path)}: ${issue.message}`));
			continue;
		}
		const id = parsed.data.compute_id;
		if (seen.has(id)) problems.push(`compute[${index}].compute_id: ${JSON.stringify(id)} is already taken`);
		seen.add(id);
		offers.push({id, option: parsed.data});
	}
	return {offers, problems};
};

/**
 * Reads compute options from a JSON file: `{"compute": […]}` or the array, in the interface's shape, each with a `compute_id`.
 * @param taken Ids that the file may not use.
 * @throws {CatalogueError}
 */
export const readOffers = async (file: string, taken: ReadonlySet<string>): Promise<readonly Offer[]> => {
	let value: unknown;
	try {
		value = JSON.parse(await readFile(file, 'utf8'));
	} catch (error) {
		const reason = error instanceof SyntaxError ? `it is not JSON (${error.message})` : `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`;
		throw new CatalogueError(`The catalogue ${file} cannot be used: ${reason}.`, {cause: error});
	}
	const shape = catalogue.safeParse(value);
	if (!shape.success) throw new CatalogueError(`The catalogue ${file} cannot be used: it must be an array of compute options, or an object with that array as "compute".`);
	const {offers, problems} = problemsOf(Array.isArray(shape.data) ? shape.data : shape.data.compute, taken);
	if (problems.length === 0) return offers;
	const more = problems.length > 3 ? `; and ${problems.length - 3} more` : '';
	throw new CatalogueError(`The catalogue ${file} cannot be used: ${problems.slice(0, 3).join('; ')}${more}.`);
};
