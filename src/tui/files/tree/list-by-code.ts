import {placeIn, type FolderItem} from '../../../api/file-tree.ts';
import type {ExecutedCell} from '../../../contract/cells.ts';
import {inFileOrder} from '../../../text/file-order.ts';

/** Maximum number of entries that are listed when code lists a folder. */
export const MOST_BY_CODE = 5000;

/**
 * Python code that prints the entries of a folder as one line of JSON and assigns no variable. The
 * path is inserted as a JSON string, which is also a valid Python string.
 */
export const listingCode = (path: string): string =>
	`print(__import__("json").dumps([[e.name, e.is_dir(), e.stat().st_size if e.is_file() else None] for e in __import__("itertools").islice(__import__("os").scandir(${JSON.stringify(path === '' ? '.' : path)}), ${MOST_BY_CODE})]))`;

const isEntry = (value: unknown): value is readonly [name: string, isFolder: boolean, size: number | null] =>
	Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';

/** The entries that the code printed, or its error as a sentence. */
export const listedEntries = (cell: ExecutedCell, path: string): readonly FolderItem[] | string => {
	// The notebook format allows a text to be a list of lines, which services may send too.
	const text = cell.outputs
		.flatMap(output => [output['text'] ?? []].flat().filter(part => typeof part === 'string'))
		.join('');
	const error = cell.outputs.find(output => output.output_type === 'error');
	const line = text.trimEnd().split('\n').at(-1) ?? '';
	try {
		const found: unknown = JSON.parse(line);
		if (!Array.isArray(found)) throw new TypeError('no list');
		const seen = new Set<string>();
		return inFileOrder(
			found
				.filter(isEntry)
				// The user's kernel may print anything, so entries with invalid or repeated names
				// are dropped.
				.filter(([name]) => !name.includes('/') && !seen.has(name) && seen.add(name))
				.flatMap(([name, isFolder, size]): readonly FolderItem[] => {
					const place = placeIn(path, `${path}/${name}`);
					const bytes = typeof size === 'number' ? size : null;
					return place === null ? [] : [{...place, isFolder, size: bytes, modified: null}];
				}),
		);
	} catch {
		return typeof error?.['evalue'] === 'string'
			? `The code that lists files raised ${String(error['ename'])}: ${error['evalue']}`
			: 'The code that lists files printed no list';
	}
};
