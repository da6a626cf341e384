// Stamp with the time and kind of the last complete build, so that `npm test` does not repeat a
// build.
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

/** Inputs of a build. Packages are not checked, because `npm ci` removes the stamp. */
const INPUTS = ['src', 'package.json', 'package-lock.json'];

const stampOf = (root: string): string => join(root, 'node_modules/.cache/built');
const kind = (): string => `${process.env['SVC_BUILD'] ?? 'whole'} ${process.version}`;

/**
 * Time of the last change in a file or folder, in ms. Removing an entry also changes the time of
 * its folder.
 */
const newest = (path: string): number =>
	Math.max(
		statSync(path).mtimeMs,
		...(statSync(path).isDirectory()
			? readdirSync(path, {recursive: true, encoding: 'utf8'}).map(name => statSync(join(path, name)).mtimeMs)
			: []),
	);

/**
 * Removes the stamp. Returns a function that writes the next stamp, with the time of the call of
 * `beginStamp`.
 */
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
