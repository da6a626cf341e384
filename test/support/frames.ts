// Output and input of a test's terminals: dropped when the test passes, written beside the report
// when it fails.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/**
 * Holds the frames of the last run's failures: a folder for each test file, and in it one for each
 * test.
 */
export const FRAMES = join(root, 'node_modules/.cache/frames');
/** Number of stored frames and inputs of each terminal. */
const KEPT = 60;

export type FrameLog = {
	/** A frame that the test looked at; a repeated frame is not recorded. */
	shows(screen: string): void;
	isSent(bytes: string): void;
	/** Marks the terminal as closed. An open terminal is recorded in the next test too. */
	ends(): void;
};

type Log = {readonly title: string; readonly entries: string[]};
const logs: Log[] = [];
const open = new Set<Log>();

/** Records the output and input of a terminal. `title` describes it in words. */
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

/** Vitest's data of an ended test. */
type Failed = {readonly state?: string; readonly errors?: {message: string; stack?: string | undefined}[]};

/**
 * Writes a file for each terminal of a failed test and names their folder in its first error.
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
	// Reporters print the stack, which starts with the message.
	error.stack = error.stack?.replace(message, () => error.message);
};
