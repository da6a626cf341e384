import {readdirSync, rmSync, statSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {FRAMES} from './frames.ts';
import {beginHomes, endHomes} from './homes.ts';
import {endLabs} from './lab/end-labs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Path and time (ms) of a folder's newest file. Undefined if the folder is missing. */
const newest = (folder: string): {readonly path: string; readonly time: number} | undefined => {
	let entries;
	try {
		entries = readdirSync(folder, {recursive: true, withFileTypes: true});
	} catch {
		return undefined;
	}
	return entries
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name))
		.map(path => ({path, time: statSync(path).mtimeMs}))
		.toSorted((one, other) => other.time - one.time)[0];
};

/**
 * Global set-up of vitest. The tests run the built program, so an outdated build would test old
 * code.
 */
export const setup = async (): Promise<void> => {
	await endLabs();
	rmSync(FRAMES, {recursive: true, force: true});
	beginHomes();
	const source = newest(join(root, 'src'));
	const built = newest(join(root, 'dist'));
	if (!built) throw new Error('dist/ is missing: run `npm run build`, then the tests.');
	if (source && source.time > built.time)
		throw new Error(
			`dist/ is older than ${relative(root, source.path)}: run \`npm run build\`, then the tests.`,
		);
};

/** Called by vitest once for each project; only the first call has an effect. */
export const teardown = async (): Promise<void> => {
	await endLabs();
	await endHomes();
};
