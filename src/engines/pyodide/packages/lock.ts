import {readFileSync} from 'node:fs';
import * as z from 'zod';
import {jsonIn} from '../../../text/record.ts';
import {StartError} from '../../engine.ts';

/** File of a package as Pyodide's lock file lists it. `sha256` is in hexadecimal. */
export type LockedFile = {
	readonly name: string;
	readonly version: string;
	readonly file: string;
	readonly sha256: string;
	/** Address of a file that is not of the distribution. */
	readonly url?: URL;
};

const entry = z.looseObject({
	name: z.string(),
	version: z.string(),
	// A plain name: a path or an address would lead out of the folder or off the mirror.
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
	/** Version of Python that the packages are for. */
	readonly python: string;
	has(name: string): boolean;
	/**
	 * Files of these packages and of all that they depend on, each once, dependencies first.
	 * @throws {StartError} if the lock file lacks one of them.
	 */
	filesOf(names: readonly string[]): readonly LockedFile[];
};

/** Name of a package as lock files and indexes compare it (PEP 503). */
export const normalName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/** @throws {StartError} if the file cannot be used. */
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
