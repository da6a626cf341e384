import {isOwned} from '../machine/process-identity.ts';
import {lastTaskJournal} from '../storage/tasks.ts';
import {label} from '../text/safe.ts';
import {restoreTask} from '../work/restore-task.ts';
import {hasWritten, undoTask} from '../work/undo.ts';
import {CommandError} from './command-error.ts';
import type {Context} from './context.ts';
import {storageFor} from './storage-for.ts';
import {liveLink, reachServer} from './on-server.ts';
import {printNotice, printResult} from './print.ts';

/**
 * Runs `work --undo`: reverts the file changes of the last task on a server, the last change first.
 * Effects of its code remain.
 */
export const undoLast = async (context: Context, server: string): Promise<number> => {
	const journal = lastTaskJournal(storageFor(context), server);
	const found = restoreTask(journal?.read() ?? []);
	if (journal === null || found === null)
		throw new CommandError(
			'not-found',
			`No task has run on ${JSON.stringify(server)} from this machine.`,
			'',
		);
	if (found.owner !== null && isOwned(found.owner))
		throw new CommandError('conflict', 'The last task is still running.', 'Stop it first.');
	if (!hasWritten(found.task)) {
		await printNotice(context, 'The last task made no file changes that could be undone.');
		return 0;
	}
	const {service} = await reachServer(context, server);
	const live = await liveLink(context, service, server);
	const {undone, kept} = await undoTask(
		{client: service.client, server, files: live?.files ?? null},
		found.task,
		number => journal.add({type: 'undone', at: Date.now(), number}),
		context.signal,
	).finally(() => live?.close());
	if (!context.json) for (const {message} of kept) await printNotice(context, message);
	await printResult(
		context,
		{undone, kept},
		undone.map(path => `${label(path)} is as it was before the task\n`).join(''),
	);
	return kept.length === 0 ? 0 : 1;
};
