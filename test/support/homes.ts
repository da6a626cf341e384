// Homes of ended tests. A service ends a second after its last program: the next test file runs
// during that time, and after the last file the run itself waits.
import {appendFileSync, existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';
import {stillRunning, untilFree} from './processes.ts';

/** Home and test of each home left in this run, a line of JSON each. */
const LIST = fileURLToPath(new URL('../../node_modules/.cache/left-homes', import.meta.url));

/** Homes with their tests. Undefined outside of tests. */
let left: Map<string, string> | undefined;
let currentTest = (): string => '';
/** Removal of the previous file's homes. */
let sweeping = Promise.resolve();

const remove = async (folder: string): Promise<void> =>
	rm(folder, {recursive: true, force: true, maxRetries: 3});

/**
 * Removes homes once none of their processes runs. @throws {Error} with the tests whose processes
 * did not end.
 */
const sweep = async (homes: ReadonlyMap<string, string>): Promise<void> => {
	const stayed = await untilFree([...homes.keys()], remove);
	await Promise.all([...stayed.keys()].map(remove));
	const says = [...stayed].map(
		([folder, entries]) => `after "${homes.get(folder)}": ${stillRunning(entries)}`,
	);
	if (says.length > 0) throw new Error(says.join('\n'));
};

/** Makes {@link leaveHome} only record a home, for {@link sweepHomes} at the end of the file.
 */
export const sweepLater = (test: () => string): void => {
	left ??= new Map();
	currentTest = test;
};

/** Removes a home once none of its processes runs. */
export const leaveHome = async (folder: string): Promise<void> => {
	if (!left) return sweep(new Map([[folder, 'a program']]));
	left.set(folder, currentTest());
	appendFileSync(LIST, `${JSON.stringify([folder, currentTest()])}\n`);
};

/**
 * Starts to remove the homes of this file, and waits for the removal of the previous file's.
 * @throws {Error} if that failed, like {@link sweep}.
 */
export const sweepHomes = async (): Promise<void> => {
	const before = sweeping;
	sweeping = sweep(new Map(left));
	// The end of the next file reports the error.
	sweeping.catch(() => {});
	left?.clear();
	await before;
};

export const beginHomes = (): void => {
	mkdirSync(dirname(LIST), {recursive: true});
	rmSync(LIST, {force: true});
};

/**
 * Removes the homes of the last files, in the run's own process after all tests. @throws {Error}
 * like {@link sweep}.
 */
export const endHomes = async (): Promise<void> => {
	if (!existsSync(LIST)) return;
	const homes = readFileSync(LIST, 'utf8')
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as [string, string]);
	rmSync(LIST);
	await sweep(new Map(homes.filter(([folder]) => existsSync(folder))));
};
