import {nameOf} from '../contract/paths.ts';
import type {LiveFiles} from '../api/client-types.ts';
import {explainFailure, type Failure, type Reply} from '../api/failure.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {serverPath} from './files.ts';
import {needLink} from './link-to.ts';
import {reachServer} from './on-server.ts';
import {printResult} from './print.ts';

/** Operations that are not in the service's API, and equivalent Python code. */
const LACKS = {
	mv: {verb: 'renaming', code: 'import shutil; shutil.move("old", "new")'},
	mkdir: {verb: 'empty folders', code: 'import os; os.makedirs("name")'},
	rm: {verb: 'deleting', code: 'import os; os.remove("name")'},
} as const;

const onFiles = async (
	context: Context,
	server: string,
	what: keyof typeof LACKS,
	act: (files: LiveFiles) => Promise<void>,
): Promise<void> => {
	const {service} = await reachServer(context, server);
	const {verb, code} = LACKS[what];
	const link = await needLink(context, service, server, {
		verb,
		next: `Python can do it: ${context.typed('run', server, '-c', code)}`,
	});
	try {
		await act(link.files);
	} finally {
		link.close();
	}
};

/**
 * Error for a failed operation. Only for a rejection does it state that nothing was changed: if a
 * response was lost, the operation may have taken place.
 */
const refusal = (failure: Failure, next?: string): CommandError => {
	if (failure.ambiguous || !['conflict', 'not-found'].includes(failure.kind)) return failed(failure, next);
	return new CommandError(
		failure.kind,
		label(explainFailure(failure).what, 400),
		next ?? 'Nothing was changed.',
	);
};
const done = (reply: Reply<unknown>, next?: string): void => {
	if (!reply.ok) throw refusal(reply.failure, next);
};

const named = (typed: string): string => {
	const path = serverPath(typed);
	if (path === '') throw usageError('The root folder cannot be renamed or deleted.');
	return path;
};

/** Destination of a move: inside a folder, or under a new name. */
const goalOf = async (files: LiveFiles, from: string, typed: string, isFolder: boolean): Promise<string> => {
	const to = serverPath(typed);
	const into = to === '' ? nameOf(from) : `${to}/${nameOf(from)}`;
	if (isFolder || to === '') return into;
	const there = await files.stat(to);
	return there.ok && there.value.type === 'directory' ? into : to;
};

export const moveFile = async (context: Context, server: string, paths: readonly string[]): Promise<void> => {
	const typed = paths.at(-1) ?? '';
	const sources = paths.slice(0, -1).map(named);
	if (sources.length === 0)
		throw usageError('Give the source, then the destination.', 'svc-tui files mv SERVER OLD NEW');
	const isFolder = typed.endsWith('/') || sources.length > 1;
	serverPath(typed);
	await onFiles(context, server, 'mv', async files => {
		const moved: {from: string; to: string}[] = [];
		for (const from of sources) {
			const to = await goalOf(files, from, typed, isFolder);
			if (to === from || to.startsWith(`${from}/`))
				throw usageError(
					to === from ? `${label(from)} already has that name.` : 'A folder cannot be moved into itself.',
					'Nothing was changed.',
				);
			done(await files.move(from, to), doneBefore(moved.map(one => one.from)));
			moved.push({from, to});
		}
		await printResult(
			context,
			{moved},
			moved.map(({from, to}) => `${label(from)} is now ${label(to)}\n`).join(''),
		);
	});
};

/** Hint that lists the paths done before the failure. */
const doneBefore = (paths: readonly string[]): string =>
	paths.length === 0
		? 'Nothing was changed.'
		: `Already done: ${paths.map(path => label(path, 80)).join(', ')}.`;

export const makeFolder = async (context: Context, server: string, typed: string): Promise<void> => {
	const path = serverPath(typed);
	if (path === '') throw usageError('A folder needs a name.');
	await onFiles(context, server, 'mkdir', async files => {
		done(await files.makeFolder(path));
		await printResult(context, {made: path}, `Created folder ${label(path)}\n`);
	});
};

/**
 * Runs `files rm`. Folders are deleted with their contents, and only with `-r`. `flag`: name of
 * that option in the caller's interface.
 */
export const removeFile = async (
	context: Context,
	server: string,
	typed: readonly string[],
	{recursive = false, flag = '-r'}: {readonly recursive?: boolean; readonly flag?: string},
): Promise<void> => {
	const paths = typed.map(named);
	await onFiles(context, server, 'rm', async files => {
		// Checks all paths before deleting the first, so that a wrong path has no effect.
		for (const path of paths) {
			const there = await files.stat(path);
			if (!there.ok && there.failure.kind === 'not-found')
				throw new CommandError('not-found', `There is no ${JSON.stringify(path)}.`, 'Nothing was deleted.');
			done(there, 'Nothing was deleted.');
			if (there.ok && there.value.type === 'directory' && !recursive)
				throw usageError(
					`${label(path)} is a folder.`,
					`${flag} deletes it and its contents; this cannot be undone. Nothing was deleted.`,
				);
		}
		const deleted: string[] = [];
		for (const path of paths) {
			done(await files.remove(path), doneBefore(deleted));
			deleted.push(path);
		}
		await printResult(context, {deleted}, deleted.map(path => `${label(path)} deleted\n`).join(''));
	});
};
