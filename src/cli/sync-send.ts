import {createHash} from 'node:crypto';
import {join} from 'node:path';
import type {Client} from '../api/client-types.ts';
import {bytesOf, sendBytes} from '../api/file-bytes.ts';
import type {Failure, FailureKind} from '../api/failure.ts';
import type {FolderItem} from '../api/file-tree.ts';
import {LocalFileError, readListed} from '../machine/local-file.ts';
import type {SyncedFile, SyncedFiles} from '../storage/sync-index.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed} from './command-error.ts';
import type {Context} from './context.ts';
import {createProgress} from './progress.ts';
import type {RemoteListing} from './sync-listing.ts';
import type {SyncPlace, SyncReport} from './sync-report.ts';

/** Failures that prevent all further files from being sent. */
const ENDS: ReadonlySet<FailureKind> = new Set<FailureKind>([
	'auth',
	'cancelled',
	'connection-lost',
	'read-only',
	'timeout',
	'tls',
	'unreachable',
]);

/** False for times without fractions, which cannot distinguish two writes within a second. */
const isExact = (time: unknown): time is string => typeof time === 'string' && /\.\d{3}/.test(time);

const remember = (
	kept: SyncedFiles,
	path: string,
	hash: string,
	said: {readonly size?: number | null | undefined; readonly modified: unknown},
): void => {
	if (isExact(said.modified)) kept.set(path, {hash, size: said.size ?? null, modified: said.modified});
	else kept.delete(path);
};

/**
 * True if the listed file has these bytes, false if not. Null if only reading the file can decide
 * that.
 */
const judge = (
	bytes: Buffer,
	hash: string,
	leaf: FolderItem,
	kept: SyncedFile | undefined,
): boolean | null => {
	if (kept && kept.modified === leaf.modified && kept.size === leaf.size) return kept.hash === hash;
	// Compares both, because the API does not specify whether the size is in bytes or characters.
	const mayBeSame =
		leaf.size === null || leaf.size === bytes.length || leaf.size === bytes.toString('utf8').length;
	return mayBeSame ? null : false;
};

/** Files known to be equal on the server, by path and hash. */
export type FilesInSync = {has(path: string, hash: string): boolean; set(path: string, hash: string): void};

/**
 * Sends the files that differ on the server, one after the other. @throws {CommandError} if no
 * other file can be sent either.
 */
export const sendFiles = async (
	context: Context,
	{server, folder, pathOf}: SyncPlace,
	client: Client,
	files: readonly string[],
	{
		listing,
		kept,
		report,
		dryRun,
		inStep,
	}: {
		readonly listing: RemoteListing;
		readonly kept: SyncedFiles;
		readonly report: SyncReport;
		readonly dryRun: boolean;
		/** Set while a folder is watched. */
		readonly inStep?: FilesInSync | undefined;
	},
): Promise<void> => {
	const call = {signal: context.signal};
	const progress = createProgress(context);
	const stopped = (failure: Failure): CommandError => {
		const {code, message, next, detail} = failed(failure);
		const goesOn = dryRun
			? ''
			: `${report.sent.length} of ${files.length} files were sent; run the same command to continue. `;
		return new CommandError(code, message, `${goesOn}${next}`, detail, failure);
	};
	/** True if the file on the server has the same content. */
	const isSame = async (path: string, bytes: Buffer, hash: string): Promise<boolean> => {
		const leaf = listing?.files.get(path);
		if (listing && !leaf) return false;
		const judged = leaf ? judge(bytes, hash, leaf, kept.get(path)) : null;
		if (judged !== null) return judged;
		const now = await client.getFile(server, pathOf(path), call);
		if (!now.ok && ENDS.has(now.failure.kind)) throw stopped(now.failure);
		const found = now.ok ? bytesOf(now.value) : '';
		if (typeof found === 'string' || !found.equals(bytes)) return false;
		// Stored with the time in the list, so that the file is read again after a later change on
		// the server.
		if (leaf) remember(kept, path, hash, leaf);
		return true;
	};
	const bring = async (path: string, at: number): Promise<void> => {
		const bytes = await readListed(join(folder, path));
		const hash = createHash('sha256').update(bytes).digest('hex');
		await progress.show(`${at + 1}/${files.length}  ${label(path, 60)}`);
		if (inStep?.has(path, hash) || (await isSame(path, bytes, hash))) {
			report.same++;
			inStep?.set(path, hash);
			return;
		}
		if (!dryRun) {
			const reply = await sendBytes(client, server, pathOf(path), bytes, call);
			if (!reply.ok && ENDS.has(reply.failure.kind)) throw stopped(reply.failure);
			if (!reply.ok) {
				report.failed.push({path, message: reply.failure.message});
				return;
			}
			remember(kept, path, hash, {size: reply.value.size, modified: reply.value.last_modified});
			inStep?.set(path, hash);
		}
		report.sent.push({path, bytes: bytes.length});
	};
	try {
		for (const [at, path] of files.entries()) {
			context.signal.throwIfAborted();
			try {
				await bring(path, at);
			} catch (error) {
				if (!(error instanceof LocalFileError)) throw error;
				report.failed.push({path, message: error.message});
			}
		}
	} finally {
		await progress.clear();
	}
};
