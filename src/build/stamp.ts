// The time and kind of the last whole build, so that `npm test` builds nothing twice.
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';

/** Inputs of a build. `npm ci` removes the stamp, so that packages need no check. */
const INPUTS = ['src', 'package.json', 'package-lock.json'];

const stampOf = (root: string): string => join(root, 'node_modules/.cache/built');
const kind = (): string => `${process.env['SVC_BUILD'] ?? 'whole'} ${process.version}`;

/** Time of the last change, in ms. A folder changes when an entry is removed. */
const newest = (path: string): number =>
	Math.max(
		statSync(path).mtimeMs,
		...(statSync(path).isDirectory()
			? readdirSync(path, {recursive: true, encoding: 'utf8'}).map(name => statSync(join(path, name)).mtimeMs)
			: []),
	);

/** Removes the stamp. Returns a function that writes the next one, with the time of this call. */
export const beginStamp = (root: string): (() => void) => {
	const stamp = stampOf(root);
	const began = new Date();
	rmSync(stamp, {force: true});
	return () => {
		mkdirSync(dirname(stamp), {recursive: true});
		writeFileSync(stamp, kind());
		utimesSync(stamp, began, began);
	};
};

/** True if `dist/` is complete, of the wanted kind and newer than its inputs. */
export const isBuilt = (root: string): boolean => {
	const stamp = stampOf(root);
	return (
		existsSync(stamp) &&
		existsSync(join(root, 'dist/svc-tui')) &&
		readFileSync(stamp, 'utf8') === kind() &&
		INPUTS.every(input => newest(join(root, input)) < statSync(stamp).mtimeMs)
	);
};
