import {join} from 'node:path';
import type {LiveFiles} from '../api/client-types.ts';
import {namesFault} from '../contract/paths.ts';
import type {GitIgnore} from '../state/git-ignore.ts';
import {isLocalFolder, isLocalThere, localPath} from '../state/local-file.ts';
import {holdsHome} from '../state/home.ts';
import {listFolder, realFolder, type LocalTree} from '../state/local-tree.ts';
import {openSynced, type SyncedFiles} from '../state/synced.ts';
import {listed} from '../text/listed.ts';
import {label} from '../text/safe.ts';
import {CommandError, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {serverPath} from './files.ts';
import {keeperFor} from './keeper-for.ts';
import {needLink} from './link-to.ts';
import {reachServer, type OnServer} from './on-server.ts';
import {printNote} from './print.ts';
import {listingOf, type RemoteListing} from './sync-listing.ts';
import {emptyReport, printSync, type SyncPlace, type SyncReport} from './sync-report.ts';
import {sendFiles} from './sync-send.ts';
import type {Watched} from './sync-watch.ts';

export type SyncOptions = {
	readonly delete?: boolean;
	readonly dryRun?: boolean;
	readonly yes?: boolean;
	readonly watch?: boolean;
};

const NOTHING = 'Nothing was sent or deleted.';

/** `SERVER:PATH`; an empty path is the root. */
const remoteOf = (typed: string): {readonly server: string; readonly root: string} => {
	const at = typed.indexOf(':');
	if (at < 1)
		throw usageError('Write where to as SERVER:PATH.', 'SERVER: alone, with its colon, is the root there.');
	return {server: typed.slice(0, at), root: serverPath(typed.slice(at + 1))};
};

type Missed = NonNullable<RemoteListing>['missed'];

/** Paths there that are not here. What git ignores stays, and what a link here may stand for. @throws {CommandError} where a list is not whole. */
const surplus = (
	{files, links, missed}: LocalTree,
	listing: {readonly files: ReadonlyMap<string, unknown>; readonly missed: Missed} | null,
	{ignores}: GitIgnore,
): readonly string[] => {
	const refused = (what: string, why: string): CommandError =>
		new CommandError(
			'refused',
			`--delete needs whole lists, and ${what} could not be listed: ${label(why, 300)}`,
			`${NOTHING} Without --delete, what can be read is sent.`,
		);
	const [here] = missed;
	if (here) throw refused(here.path === '' ? 'the folder here' : label(here.path, 120), here.why);
	if (listing === null) throw refused('the folder there', 'the service lists no folders.');
	const odd = [...listing.files.keys()].find(path => namesFault(path.split('/')) !== undefined);
	const [there] =
		odd === undefined ? listing.missed : [{below: odd, why: 'its name there cannot be a name.'}];
	if (there)
		throw refused(
			there.below === '' ? 'the folder there' : `${label(there.below, 120)} there`,
			there.why.replace(/\.?$/, '.'),
		);
	const mine = new Set(files);
	return [...listing.files.keys()].filter(
		path =>
			!mine.has(path) &&
			!ignores(path, false) &&
			!links.some(link => path === link || path.startsWith(`${link}/`)),
	);
};

/** Asks before anything is deleted, once also for what is deleted here while it watches. @throws {CommandError} */
const allowed = async (
	context: Context,
	{server}: SyncPlace,
	extra: readonly string[],
	{yes = false, watch = false, ...options}: SyncOptions,
): Promise<void> => {
	if (yes || !options.delete || (extra.length === 0 && !watch)) return;
	const name = label(server, 60);
	const what = `${extra.length} ${extra.length === 1 ? 'file' : 'files'} of ${name} that ${extra.length === 1 ? 'is' : 'are'} not here: ${listed(extra)}`;
	const later = `${extra.length === 0 ? 'each' : 'and then each'} file of ${name} that is deleted here while this runs`;
	const all = [...(extra.length > 0 ? [what] : []), ...(watch ? [later] : [])].join('; ');
	if (context.ask === undefined)
		throw usageError(
			`--delete would delete ${all}.`,
			`--yes does it without being asked; it is final. ${NOTHING}`,
		);
	const answer = await context.ask(`Delete ${all}? It is final. [y/N] `, {masked: false});
	if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('cancelled', NOTHING, '');
};

/** Deletes what is still a file there, and still not here. */
const removeFiles = async (
	{pathOf, folder}: SyncPlace,
	extra: readonly string[],
	files: LiveFiles,
	report: SyncReport,
): Promise<void> => {
	for (const path of extra) {
		if (await isLocalThere(join(folder, path))) continue;
		const there = await files.look(pathOf(path));
		if (!there.ok && there.failure.kind === 'not-found') continue;
		const isFile = there.ok && there.value.type !== 'directory';
		const removed = isFile ? await files.remove(pathOf(path)) : there;
		if (isFile && removed.ok) report.deleted.push(path);
		else
			report.failed.push({
				path,
				message: removed.ok ? 'it is a folder now, and stays' : removed.failure.message,
			});
	}
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
		verb: 'delete',
		next: `${NOTHING} Without --delete, files are sent.`,
	});

/** All at once; what a report says when it throws half-way is what was done. */
const carry = async (
	sync: Sync,
	tree: LocalTree,
	listing: RemoteListing,
	extra: readonly string[],
): Promise<SyncReport> => {
	const {context, place, reached, options, kept, watched} = sync;
	const {dryRun = false} = options;
	const report = emptyReport(tree);
	const send = async (): Promise<void> =>
		sendFiles(context, place, reached.service.client, tree.files, {
			listing,
			kept,
			report,
			dryRun,
			inStep: watched?.inStep,
		});
	if (dryRun) {
		await send();
		report.deleted.push(...extra);
		return report;
	}
	const link = extra.length === 0 && !(options.delete && watched) ? null : await linkFor(sync);
	try {
		await allowed(context, place, extra, options);
		await send();
		if (link && report.failed.length > 0)
			await printNote(context, 'Nothing was deleted, since not all could be sent.');
		else if (link) await removeFiles(place, extra, link.files, report);
	} finally {
		link?.close();
	}
	return report;
};

/** What has changed since the last time; whether all of it was done. Only what was here before is deleted there. */
const carryChanges = async (
	sync: Sync,
	{known, inStep, changed}: Watched,
	{tree, ignored}: ReturnType<Watched['list']>,
	report: SyncReport,
): Promise<boolean> => {
	const {context, place, reached, options, kept} = sync;
	await sendFiles(context, place, reached.service.client, changed(tree), {
		listing: {files: new Map(), missed: []},
		kept,
		report,
		dryRun: false,
		inStep,
	});
	if (report.failed.length > 0) return false;
	const gone = surplus(tree, {files: known, missed: []}, ignored);
	if (options.delete && gone.length > 0) {
		const link = await linkFor(sync);
		try {
			await removeFiles(place, gone, link.files, report);
		} finally {
			link.close();
		}
	}
	const left = new Set(report.failed.map(({path}) => path));
	for (const path of gone) if (!left.has(path)) known.delete(path);
	return left.size === 0;
};

/** `files sync`: what is in a folder here, as git sees it, is then on the server too. */
export const syncFiles = async (
	context: Context,
	local: string,
	remote: string,
	options: SyncOptions,
): Promise<number> => {
	const {server, root} = remoteOf(remote);
	if (options.watch && options.dryRun)
		throw usageError('--dry-run sends nothing: it does not go with --watch.');
	if (options.watch && context.json && !context.jsonl)
		throw usageError('--watch has no end, and so no one result.', '--jsonl prints a value for each round.');
	const given = localPath(local);
	if ((await isLocalThere(given)) && !(await isLocalFolder(given)))
		throw usageError(
			`${label(local, 200)} is a file.`,
			`One file is sent by: ${context.typed('files', 'put', server, local, ...(root === '' ? [] : [root]))}`,
		);
	const folder = realFolder(given);
	if (holdsHome(folder))
		throw usageError(
			`${label(folder, 200)} holds your whole home folder, keys included: nothing was sent.`,
			'Name the folder of one project.',
		);
	const watched = options.watch ? (await import('./sync-watch.ts')).watchFolder(folder) : null;
	const {tree, ignored} = watched?.list() ?? listFolder(folder);
	const place: SyncPlace = {server, root, folder, pathOf: path => (root === '' ? path : `${root}/${path}`)};
	const reached = await reachServer(context, server);
	const listing = await listingOf(context, reached, server, root);
	const extra = options.delete ? surplus(tree, listing, ignored) : [];
	const kept = openSynced(keeperFor(context), server, root);
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
