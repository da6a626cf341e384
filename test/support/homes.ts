// Removes the homes of tests that have ended. A service ends a second after its last program.
// During that time the next test file already runs; after the last file, the run waits.
import {appendFileSync, existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';
import {stillRunning, untilFree} from './processes.ts';

/** File with the homes left in this run, each with its test, as lines of JSON. */
const LIST = fileURLToPath(new URL('../../node_modules/.cache/left-homes', import.meta.url));

/** Homes by folder, with their tests. Undefined outside of tests. */
let left: Map<string, string> | undefined;
let currentTest = (): string => '';
/** Removal of the homes of the previous file, which may be in progress. */
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

/**
 * Changes {@link leaveHome} so that it only records a home, which {@link sweepHomes} removes at the
 * end of the file.
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
 * Starts to remove the homes of this file, and waits until those of the previous file are removed.
 * @throws {Error} like {@link sweep} if that failed.
 */
export const sweepHomes = async (): Promise<void> => {
	const before = sweeping;
	sweeping = sweep(new Map(left));
	// The error is reported at the end of the next file.
	sweeping.catch(() => {});
	left?.clear();
	await before;
};

export const beginHomes = (): void => {
	mkdirSync(dirname(LIST), {recursive: true});
	rmSync(LIST, {force: true});
};

/**
 * Removes the homes of the last files. Called in vitest's main process after all tests. @throws
 * {Error} like {@link sweep}.
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
