import type {Client, LiveFiles} from '../api/client-types.ts';
import {bytesOf, sendBytes} from '../api/file-bytes.ts';
import {explainFailure} from '../api/failure.ts';
import {childrenOf} from '../api/file-tree.ts';
import type {Change} from './events.ts';
import type {Task, TaskStep} from './task.ts';

/**
 * Changes that can be undone, the last one first. In this order each undo finds the content that
 * its change wrote.
 */
const undoable = ({steps}: Pick<Task, 'steps'>): readonly (TaskStep & {readonly change: Change})[] =>
	steps
		.filter(
			(step): step is TaskStep & {readonly change: Change} =>
				step.took && !step.isUndone && step.change !== null,
		)
		.toReversed();

/** True if there are changes to undo. */
export const hasWritten = (task: Pick<Task, 'steps'>): boolean => undoable(task).length > 0;

/**
 * Folder that Jupyter creates beside a deleted file. Jupyter treats a folder with nothing else as
 * empty.
 */
export const LEFT_BEHIND = '.ipynb_checkpoints';

/** Removes empty folders that a step created. Folders with other files stay. */
const removeFolders = async (files: LiveFiles | null, folders: readonly string[]): Promise<undefined> => {
	for (const folder of folders.toReversed()) {
		const found = await files?.list(folder);
		if (!found?.ok || !Array.isArray(found.value.content)) return;
		const leaves = childrenOf(found.value, folder);
		const isEmpty =
			leaves.length === found.value.content.length && leaves.every(({name}) => name === LEFT_BEHIND);
		if (!isEmpty) return;
		await files?.remove(folder);
	}
};

/**
 * Restores the previous content. Undefined on success, else the reason for the failure, as a
 * sentence.
 */
const undoChange = async (
	{
		client,
		server,
		files,
	}: {readonly client: Client; readonly server: string; readonly files: LiveFiles | null},
	{path, before, after, folders = []}: Change,
	signal: AbortSignal,
): Promise<string | undefined> => {
	const found = await client.getTaggedFile(server, path, {signal});
	if (!found.ok && found.failure.kind !== 'not-found') return explainFailure(found.failure).what;
	const bytes = found.ok ? bytesOf(found.value.entry) : null;
	const now = bytes === null ? null : typeof bytes === 'string' ? bytes : bytes.toString('base64');
	// The change was never made, or an earlier program has undone it but ended before recording
	// that.
	if (now === before) return removeFolders(files, folders);
	if (now !== after) return `${path} was changed since the task, and was left alone.`;
	if (before === null) {
		if (files === null) return `${path} is new and cannot be deleted here.`;
		const removed = await files.remove(path);
		return removed.ok ? removeFolders(files, folders) : explainFailure(removed.failure).what;
	}
	const tag = found.ok ? found.value.tag : null;
	const sent = await sendBytes(client, server, path, Buffer.from(before, 'base64'), {signal, tag});
	return sent.ok ? undefined : explainFailure(sent.failure).what;
};

/** Restored paths, and paths that could not be restored, with the reason. */
export type Undone = {
	readonly undone: readonly string[];
	readonly kept: readonly {readonly path: string; readonly message: string}[];
};

/** Undoes a task's changes, latest first, except effects of code. `keep` records each step. */
export const undoTask = async (
	place: Parameters<typeof undoChange>[0],
	task: Pick<Task, 'steps'>,
	keep: (number: number) => void,
	signal: AbortSignal,
): Promise<Undone> => {
	const undone = new Set<string>();
	const kept: {readonly path: string; readonly message: string}[] = [];
	for (const {number, change} of undoable(task)) {
		const {path} = change;
		// Skips an earlier change of a file if a later change of it could not be undone.
		if (kept.some(each => each.path === path)) continue;
		const message = await undoChange(place, change, signal);
		if (message === undefined) {
			keep(number);
			undone.add(path);
		} else {
			undone.delete(path);
			kept.push({path, message});
		}
	}
	return {undone: [...undone], kept};
};
