import {isLocalFolder, localExists, localPath} from '../machine/local-file.ts';
import {containsHome} from '../machine/home.ts';
import {listFolder, realFolder, type LocalTree} from '../machine/local-tree.ts';
import {openSyncIndex, type SyncedFiles} from '../storage/sync-index.ts';
import {joinNames} from '../text/join-names.ts';
import {label} from '../text/safe.ts';
import {CommandError, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {serverPath} from './files.ts';
import {storageFor} from './storage-for.ts';
import {needLink} from './link-to.ts';
import {reachServer, type OnServer} from './on-server.ts';
import {printNotice} from './print.ts';
import {
	blockedFiles,
	NOTHING,
	NOTHING_IN_THE_WAY,
	removeFiles,
	removeInTheWay,
	replacedBy,
	surplus,
	without,
} from './sync-delete.ts';
import {EMPTY_LISTING, listingOf, type RemoteListing} from './sync-listing.ts';
import {emptyReport, printSync, type SyncPlace, type SyncReport} from './sync-report.ts';
import {sendFiles} from './sync-send.ts';
import type {Watched} from './sync-watch.ts';

export type SyncOptions = {
	readonly delete?: boolean;
	readonly dryRun?: boolean;
	readonly yes?: boolean;
	readonly watch?: boolean;
};

/** Parses `SERVER:PATH`. An empty path is the root. */
const remoteOf = (typed: string): {readonly server: string; readonly root: string} => {
	const at = typed.indexOf(':');
	if (at < 1)
		throw usageError(
			'Give the destination as SERVER:PATH.',
			'SERVER: alone, with its colon, is the root folder.',
		);
	return {server: typed.slice(0, at), root: serverPath(typed.slice(at + 1))};
};

/**
 * Asks the user before files are deleted. While watching, asks once, for all later deletions too.
 * @throws {CommandError} if the user declines or cannot be asked.
 */
const allowed = async (
	context: Context,
	{server}: SyncPlace,
	extra: readonly string[],
	{yes = false, watch = false, ...options}: SyncOptions,
): Promise<void> => {
	if (yes || !options.delete || (extra.length === 0 && !watch)) return;
	const name = label(server, 60);
	const what = `${extra.length} ${extra.length === 1 ? 'file' : 'files'} on ${name} that ${extra.length === 1 ? 'does' : 'do'} not exist locally: ${joinNames(extra)}`;
	const later = `${extra.length === 0 ? 'each' : 'and then each'} file on ${name} whose local file is deleted while this runs`;
	const all = [...(extra.length > 0 ? [what] : []), ...(watch ? [later] : [])].join('; ');
	if (context.ask === undefined)
		throw usageError(
			`--delete would delete ${all}.`,
			`--yes deletes without asking; this cannot be undone. ${NOTHING}`,
		);
	const answer = await context.ask(`Delete ${all}? This cannot be undone. [y/N] `, {masked: false});
	if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('cancelled', NOTHING, '');
};

type Sync = {
	readonly context: Context;
	readonly place: SyncPlace;
	readonly reached: OnServer;
	readonly options: SyncOptions;
	readonly kept: SyncedFiles;
	readonly watched: Watched | null;
};

const linkFor = async ({context, place, reached}: Sync) =>
	needLink(context, reached.service, place.server, {
		verb: 'deleting',
		next: `${NOTHING} Without --delete, files are sent.`,
	});

/** Syncs the whole folder once. */
const carry = async (
	sync: Sync,
	tree: LocalTree,
	listing: RemoteListing,
	extra: readonly string[],
): Promise<SyncReport> => {
	const {context, place, reached, options, kept, watched} = sync;
	const {dryRun = false} = options;
	const report = emptyReport(tree);
	const inTheWay = replacedBy(tree.files, listing, extra);
	const send = async (files: readonly string[]): Promise<void> =>
		sendFiles(context, place, reached.service.client, files, {
			listing,
			kept,
			report,
			dryRun,
			inStep: watched?.inStep,
		});
	if (!options.delete) {
		const blocked = blockedFiles(tree.files, listing);
		report.failed.push(...blocked);
		await send(without(tree.files, blocked));
		return report;
	}
	if (dryRun) {
		await send(tree.files);
		report.deleted.push(...extra);
		return report;
	}
	const needsLink = extra.length > 0 || inTheWay.folders.length > 0 || watched !== null;
	const link = needsLink ? await linkFor(sync) : null;
	try {
		await allowed(context, place, extra, options);
		if (link) await removeInTheWay(place, inTheWay, link.files, report);
		const deleted = report.deleted.length;
		await send(without(tree.files, report.failed));
		const rest = extra.filter(path => !inTheWay.files.includes(path));
		if (link && report.failed.length > 0)
			await printNotice(
				context,
				deleted === 0
					? 'Nothing was deleted because some files could not be uploaded.'
					: 'Nothing more was deleted because some files could not be uploaded.',
			);
		else if (link) await removeFiles(place, rest, link.files, report);
	} finally {
		link?.close();
	}
	return report;
};

/**
 * Syncs the changes since the last round. True if all succeeded. Deletes only files on the server
 * that existed locally before.
 */
const carryChanges = async (
	sync: Sync,
	{known, inStep, changed}: Watched,
	{tree, ignored}: ReturnType<Watched['list']>,
	report: SyncReport,
): Promise<boolean> => {
	const {context, place, reached, options, kept} = sync;
	const gone = surplus(tree, {files: known, missed: []}, ignored);
	const inTheWay = options.delete ? replacedBy(tree.files, EMPTY_LISTING, gone) : NOTHING_IN_THE_WAY;
	if (inTheWay.files.length > 0) {
		const link = await linkFor(sync);
		try {
			await removeInTheWay(place, inTheWay, link.files, report);
		} finally {
			link.close();
		}
		if (report.failed.length > 0) return false;
		for (const path of inTheWay.files) known.delete(path);
	}
	await sendFiles(context, place, reached.service.client, changed(tree), {
		listing: EMPTY_LISTING,
		kept,
		report,
		dryRun: false,
		inStep,
	});
	if (report.failed.length > 0) return false;
	const rest = gone.filter(path => known.has(path));
	if (options.delete && rest.length > 0) {
		const link = await linkFor(sync);
		try {
			await removeFiles(place, rest, link.files, report);
		} finally {
			link.close();
		}
	}
	const left = new Set(report.failed.map(({path}) => path));
	for (const path of gone) if (!left.has(path)) known.delete(path);
	return left.size === 0;
};

/**
 * Runs `files sync`: uploads files of a local folder that differ on the server. Skips files that
 * git ignores.
 */
export const syncFiles = async (
	context: Context,
	local: string,
	remote: string,
	options: SyncOptions,
): Promise<number> => {
	const {server, root} = remoteOf(remote);
	if (options.watch && options.dryRun)
		throw usageError('--dry-run sends nothing, so it cannot be combined with --watch.');
	if (options.watch && context.json && !context.jsonl)
		throw usageError(
			'--watch does not end, so it has no single result.',
			'--jsonl prints a value for each round.',
		);
	const given = localPath(local);
	if ((await localExists(given)) && !(await isLocalFolder(given)))
		throw usageError(
			`${label(local, 200)} is a file.`,
			`To upload one file: ${context.typed('files', 'put', server, local, ...(root === '' ? [] : [root]))}`,
		);
	const folder = realFolder(given);
	if (containsHome(folder))
		throw usageError(
			`${label(folder, 200)} contains your whole home folder, keys included. Nothing was sent.`,
			'Choose the folder of one project.',
		);
	const watched = options.watch ? (await import('./sync-watch.ts')).watchFolder(folder) : null;
	const {tree, ignored} = watched?.list() ?? listFolder(folder);
	const place: SyncPlace = {server, root, folder, pathOf: path => (root === '' ? path : `${root}/${path}`)};
	const reached = await reachServer(context, server);
	const listing = await listingOf(context, reached, server, root);
	const extra = options.delete ? surplus(tree, listing, ignored) : [];
	const kept = openSyncIndex(storageFor(context), server, root);
	const sync = {context, place, reached, options, kept: kept.files, watched};
	let last = tree;
	try {
		const report = await carry(sync, tree, listing, extra);
		const code = await printSync(context, place, report, options.dryRun === true);
		if (!watched) return code;
		return await watched.keep(context, report, async (now, changes) => {
			last = now.tree;
			return carryChanges(sync, watched, now, changes);
		});
	} finally {
		watched?.close();
		if (!options.dryRun) kept.save(last.files);
	}
};
