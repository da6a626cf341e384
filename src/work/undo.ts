import type {Client, LiveFiles} from '../api/client-types.ts';
import {bytesOf, sendBytes} from '../api/file-bytes.ts';
import {explainFailure} from '../api/failure.ts';
import {childrenOf} from '../api/file-tree.ts';
import type {Change} from './events.ts';
import type {Task, TaskStep} from './task.ts';

/** Steps whose changes stand, the last first: taken back in this order each finds what it left. */
const undoable = ({steps}: Pick<Task, 'steps'>): readonly (TaskStep & {readonly change: Change})[] =>
	steps
		.filter(
			(step): step is TaskStep & {readonly change: Change} =>
				step.took && !step.isUndone && step.change !== null,
		)
		.toReversed();

/** Whether there is something to take back. */
export const hasWritten = (task: Pick<Task, 'steps'>): boolean => undoable(task).length > 0;

/** Jupyter makes it beside a file that it deletes, and takes a folder with nothing else for empty. */
export const LEFT_BEHIND = '.ipynb_checkpoints';

/** Removes the folders that were made for a file, as far as they are empty. One that stays is no fault: it holds what is not the task's. */
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

/** Undefined: what stood there before stands there again. Else why it does not, as a sentence. */
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
	// Taken back before, by a program that ended before it could say so; or it was never made.
	if (now === before) return removeFolders(files, folders);
	if (now !== after) return `${path} was changed since, and stays as it is.`;
	if (before === null) {
		if (files === null) return `${path} is new, and nothing here can delete it.`;
		const removed = await files.remove(path);
		return removed.ok ? removeFolders(files, folders) : explainFailure(removed.failure).what;
	}
	const tag = found.ok ? found.value.tag : null;
	const sent = await sendBytes(client, server, path, Buffer.from(before, 'base64'), {signal, tag});
	return sent.ok ? undefined : explainFailure(sent.failure).what;
};

/** Paths that are as they were before the task, and those that are not, with why. */
export type Undone = {
	readonly undone: readonly string[];
	readonly kept: readonly {readonly path: string; readonly message: string}[];
};

/** Takes back all that a task has written, the last first. `keep`: a step is taken back. What code did stays. */
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
		// What an earlier step of it left is under what stays.
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
