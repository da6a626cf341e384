// Runs $VISUAL or $EDITOR on a private copy of a text, and lends it the terminal.
import {spawn} from 'node:child_process';
import {waitForChild, type ChildEnvironment} from './job-control.ts';
import {makeEditCopy, type EditCopy} from '../storage/unsaved-edits.ts';
import type {ServiceStorage} from '../storage/service-storage.ts';
import type {EditedText, EditRequest} from '../tui/core/store/deps.ts';
import {label} from '../text/safe.ts';
import {messageOf} from '../text/errors.ts';
import {storageErrorText} from '../machine/disk-fault.ts';

/** Exit code of a shell that cannot find a program. */
const NOT_FOUND = 127;
const CLEAR_LINE = '\r\u001B[2K';

/** Command line for a shell, as in git, so that `code --wait` and quoted paths work. */
const editorLine = (env: NodeJS.ProcessEnv): string =>
	env['VISUAL'] || env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi');

/** Runs the editor. Returns the error as a sentence. Null if there is none. */
const run = async (
	line: string,
	file: string,
	{terminal, env: {SVC_API_KEY: _, ...env}}: ChildEnvironment,
): Promise<string | null> => {
	const child =
		process.platform === 'win32'
			? spawn(`${line} "${file}"`, {stdio: 'inherit', env, shell: true})
			: // Ctrl-C is meant for the editor; it must not end the shell.
				spawn('/bin/sh', ['-c', `trap : INT; ${line} "$@"`, 'sh', file], {stdio: 'inherit', env});
	try {
		const [code, signal] = await waitForChild(child, terminal);
		if (code === 0) return null;
		if (code === NOT_FOUND)
			return `Editor ${label(line, 60)} not found. Set VISUAL or EDITOR to an installed editor.`;
		return `The editor exited with ${signal ?? `code ${code}`}; nothing was changed.`;
	} catch (error) {
		return `The editor could not be started: ${messageOf(error)}.`;
	}
};

/**
 * Edits a text in the editor.
 * @throws {Error} with a sentence. If the text was changed, its copy remains and the sentence
 * contains the path.
 */
export const editText = async (
	request: EditRequest,
	keeper: ServiceStorage,
	surroundings: ChildEnvironment,
): Promise<EditedText> => {
	const {text} = request;
	const line = editorLine(surroundings.env);
	let copy: EditCopy;
	try {
		copy = makeEditCopy(keeper, request);
	} catch (error) {
		throw new Error(`Could not open the text in an editor: ${storageErrorText(error)}`, {cause: error});
	}
	let trouble: string | null = null;
	const wasLent = await surroundings.jobs.lendDuring(async () => {
		// Shown because the terminal stays empty if the editor opens its own window.
		process.stdout.write(`Waiting for ${label(line, 60)} to exit …`);
		trouble = await run(line, copy.path, surroundings);
		process.stdout.write(CLEAR_LINE);
	});
	if (!wasLent) trouble = 'The terminal is busy. Press the key again.';
	try {
		const edited = copy.read();
		if (trouble === null) return {text: edited, path: copy.path, discard: copy.discard, leave: copy.leave};
		if (edited === text) copy.discard();
		else copy.leave();
		throw new Error(edited === text ? trouble : `${trouble} Your text is in ${copy.path}`);
	} catch (error) {
		if (trouble !== null) throw error;
		throw new Error(`${messageOf(error)}; it is in ${copy.path}`, {cause: error});
	}
};
