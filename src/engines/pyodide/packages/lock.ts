import {readFileSync} from 'node:fs';
import * as z from 'zod';
import {jsonIn} from '../../../text/record.ts';
import {StartError} from '../../engine.ts';

/** File of a package, as listed in Pyodide's lock file. `sha256` is in hexadecimal. */
export type LockedFile = {
	readonly name: string;
	readonly version: string;
	readonly file: string;
	readonly sha256: string;
	/** URL of the file if it is not part of Pyodide's distribution. */
	readonly url?: URL;
};

const entry = z.looseObject({
	name: z.string(),
	version: z.string(),
	// Only a plain name is valid, because a path or URL could lead out of the folder or to another
	// server.
	file_name: z.string().regex(/^[\w.+-]+$/),
	sha256: z.string().regex(/^[\da-f]{64}$/i),
	depends: z.array(z.string()),
});
const shape = z.looseObject({
	info: z.looseObject({python: z.string()}),
	packages: z.record(z.string(), z.unknown()),
});

export type Lock = {
	/** Absolute path. */
	readonly path: string;
	/** Version of Python for which the packages are built. */
	readonly python: string;
	has(name: string): boolean;
	/**
	 * Files of these packages and all their dependencies, without duplicates, dependencies first.
	 * @throws {StartError} if any of them is missing in the lock file.
	 */
	filesOf(names: readonly string[]): readonly LockedFile[];
};

/** Normalised name of a package, as lock files and indexes compare names (PEP 503). */
export const normalName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/** Reads a lock file. @throws {StartError} if the file is missing or invalid. */
export const readLock = (path: string): Lock => {
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch {
		throw new StartError(`The lock file ${path} cannot be read. Correct SVC_PYODIDE_LOCK, or unset it.`);
	}
	const found = shape.safeParse(jsonIn(text));
	if (!found.success)
		throw new StartError(`${path} is not a lock file of Pyodide. Correct SVC_PYODIDE_LOCK, or unset it.`);
	const {packages, info} = found.data;
	const read = (name: string): z.infer<typeof entry> => {
		const parsed = entry.safeParse(Object.hasOwn(packages, name) ? packages[name] : undefined);
		if (parsed.success) return parsed.data;
		throw new StartError(
			Object.hasOwn(packages, name)
				? `The entry of ${name} in ${path} cannot be used.`
				: `Pyodide's distribution has no package ${name}.`,
		);
	};
	return {
		path,
		python: info.python,
		has: name => Object.hasOwn(packages, normalName(name)),
		filesOf(names) {
			const seen = new Set<string>();
			const files: LockedFile[] = [];
			const add = (given: string): void => {
				const key = normalName(given);
				if (seen.has(key)) return;
				seen.add(key);
				const {name, version, file_name: file, sha256, depends} = read(key);
				depends.forEach(add);
				files.push({name, version, file, sha256: sha256.toLowerCase()});
			};
			names.forEach(add);
			return files;
		},
	};
};
