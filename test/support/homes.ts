// Homes whose tests have ended. A service goes a second after its last program: the next test file runs meanwhile, and after the last file
// the run itself waits.
import {appendFileSync, existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';
import {stillRunning, untilFree} from './processes.ts';

/** Home and test of each that was left in this run, a line of JSON each. */
const LIST = fileURLToPath(new URL('../../node_modules/.cache/left-homes', import.meta.url));

/** Homes with the test that had each; undefined outside of tests. */
let left: Map<string, string> | undefined;
let currentTest = (): string => '';
/** Of the homes of the file before. */
let sweeping = Promise.resolve();

const remove = async (folder: string): Promise<void> =>
	rm(folder, {recursive: true, force: true, maxRetries: 3});

/** Removes homes once nothing that lives in them runs any more. @throws with the tests after whose end a process stayed. */
const sweep = async (homes: ReadonlyMap<string, string>): Promise<void> => {
	const stayed = await untilFree([...homes.keys()], remove);
	await Promise.all([...stayed.keys()].map(remove));
	const says = [...stayed].map(
		([folder, entries]) => `after "${homes.get(folder)}": ${stillRunning(entries)}`,
	);
	if (says.length > 0) throw new Error(says.join('\n'));
};

/** From now on {@link leaveHome} only notes a home, for {@link sweepHomes} at the end of the file. */
export const sweepLater = (test: () => string): void => {
	left ??= new Map();
	currentTest = test;
};

/** Removes a home once nothing that lives in it runs any more. */
export const leaveHome = async (folder: string): Promise<void> => {
	if (!left) return sweep(new Map([[folder, 'a program']]));
	left.set(folder, currentTest());
	appendFileSync(LIST, `${JSON.stringify([folder, currentTest()])}\n`);
};

/** Begins to remove the homes of this file, and ends what was begun for the one before. @throws as {@link sweep}, of that one. */
export const sweepHomes = async (): Promise<void> => {
	const before = sweeping;
	sweeping = sweep(new Map(left));
	// It is told at the end of the next file.
	sweeping.catch(() => {});
	left?.clear();
	await before;
};

export const beginHomes = (): void => {
	mkdirSync(dirname(LIST), {recursive: true});
	rmSync(LIST, {force: true});
};

/** In the run's own process, after all tests: removes the homes of the last files. @throws as {@link sweep}. */
export const endHomes = async (): Promise<void> => {
	if (!existsSync(LIST)) return;
	const homes = readFileSync(LIST, 'utf8')
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as [string, string]);
	rmSync(LIST);
	await sweep(new Map(homes.filter(([folder]) => existsSync(folder))));
};
