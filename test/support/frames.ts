// Records output and input of a test's terminals. The records are dropped if the test passes, and
// written beside the report if it fails.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/**
 * Folder with the frames of the last run's failures. It has a folder for each test file, and in
 * that a folder for each test.
 */
export const FRAMES = join(root, 'node_modules/.cache/frames');
/** Number of stored frames and inputs of each terminal. */
const KEPT = 60;

export type FrameLog = {
	/** Records a frame that the test has read; repeated frames are not recorded. */
	shows(screen: string): void;
	isSent(bytes: string): void;
	/**
	 * Marks the terminal as closed. A terminal that stays open is recorded in the next test too.
	 */
	ends(): void;
};

type Log = {readonly title: string; readonly entries: string[]};
const logs: Log[] = [];
const open = new Set<Log>();

/** Starts to record the output and input of a terminal. `title` describes the terminal. */
export const noteFrames = (title: string): FrameLog => {
	const began = performance.now();
	const entries: string[] = [];
	const log = {title, entries};
	logs.push(log);
	open.add(log);
	let last: string | undefined;
	const note = (what: string): void => {
		entries.push(`── ${((performance.now() - began) / 1000).toFixed(3)} s: ${what}`);
		if (entries.length > KEPT) entries.shift();
	};
	return {
		shows(screen) {
			if (screen === last) return;
			last = screen;
			note(`shows\n${screen.replaceAll(/^/gm, '│')}`);
		},
		isSent(bytes) {
			const text = JSON.stringify(bytes.slice(0, 200));
			note(`is sent ${text}${bytes.length > 200 ? ` and ${bytes.length - 200} more` : ''}`);
		},
		ends: () => open.delete(log),
	};
};

export const forgetFrames = (): void => {
	logs.splice(0, Infinity, ...open);
	for (const {entries} of open) entries.length = 0;
};

/** The part of vitest's result of a test that is used here. */
type Failed = {readonly state?: string; readonly errors?: {message: string; stack?: string | undefined}[]};

/**
 * Writes a file for each terminal of a failed test, and adds the path of their folder to the test's
 * first error.
 * @param names The test's file, its groups and its title.
 */
export const keepFrames = (result: Failed | undefined, names: readonly string[], frames = FRAMES): void => {
	if (result?.state !== 'fail' || logs.length === 0) return;
	const folder = join(
		frames,
		...names.map(name => name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100)),
	);
	mkdirSync(folder, {recursive: true});
	for (const [index, {title, entries}] of logs.entries())
		writeFileSync(join(folder, `terminal-${index + 1}.txt`), `${title}\n${entries.join('\n')}\n`);
	const error = result.errors?.[0];
	if (!error) return;
	const {message} = error;
	error.message = `${message}\n\nWhat led to it: ${relative(root, folder)}`;
	// Reporters print the stack, which starts with the old message.
	error.stack = error.stack?.replace(message, () => error.message);
};
