import {explainFailure} from '../../../api/failure.ts';
import type {TransferItem, TransferProgress} from '../../../api/transfer.ts';
import {keyFor} from '../../../text/key-name.ts';
import type {LocalEntry} from '../../../machine/local-file.ts';
import {messageOf} from '../../../text/errors.ts';
import {treeOf, fileListing} from './listing.ts';
import {part, type App} from '../../core/app.ts';
import {route} from '../../core/store/route.ts';
import {notices} from '../../core/store/notices.ts';

declare module '../../core/store/deps.ts' {
	interface Deps {
		/** Entries of a local folder. */
		readonly localEntries?: (folder: string) => Promise<readonly LocalEntry[]>;
	}
}

export type Direction = 'upload' | 'download';

/** Progress of the transfer between this machine and a server. */
export type Transfer = TransferProgress & {readonly server: string; readonly direction: Direction};

/**
 * The user's decision about an existing file. An `all` decision applies to the remaining files too.
 */
export type OverwriteAnswer = 'overwrite' | 'overwrite-all' | 'skip' | 'skip-all' | 'stop';

export type TransfersState = {
	readonly transfer: Transfer | null;
	/**
	 * Entries of the local folder in the typed path, such as `data/`; `''` is the working
	 * directory.
	 */
	readonly localFolder: {
		readonly path: string;
		/** Number of the dialog: each newly opened dialog lists the folder again. */
		readonly dialog: number;
		readonly entries: readonly LocalEntry[];
	} | null;
};

export type FileTransfers = {
	/** Lists the local folder in a typed path. */
	lookLocally(typed: string): void;
	/**
	 * Uploads a local path, folder or pattern into a folder of the server. Returns a sentence if it
	 * cannot start.
	 */
	upload(server: string, local: string, folder: string): string | void;
	/** Downloads a file or folder into a local folder, creating that folder if it is missing. */
	download(server: string, path: string, folder: string): string | void;
	/** Stops the transfer of this server; false if there is none. */
	stopTransfer(server: string): boolean;
	/** Answers the topmost question about an existing file. */
	answerOverwrite(answer: OverwriteAnswer): void;
};

/** Reason why no transfer can start now; undefined if one can. */
export const transferBusyText = ({transfer}: Pick<TransfersState, 'transfer'>): string | undefined =>
	transfer === null
		? undefined
		: `A transfer is already running: ${keyFor('global.back')} in the tree stops it`;

/** The entry directly inside `folder` that is the path or contains it. */
const topBelow = (folder: string, path: string): string => {
	const above = folder === '' ? '' : `${folder}/`;
	return above + (path.slice(above.length).split('/')[0] ?? '');
};

const firstTransfers = (): TransfersState => ({transfer: null, localFolder: null});

export const fileTransfers = part(
	'fileTransfers',
	({get, set, deps: {client, localEntries}}: App): FileTransfers => {
		let running: AbortController | undefined;
		let answer: ((given: OverwriteAnswer) => void) | undefined;

		const run = async (
			server: string,
			direction: Direction,
			{local, folder}: {readonly local: string; readonly folder: string},
			itemsOf: (signal: AbortSignal) => Promise<readonly TransferItem[]>,
		): Promise<void> => {
			const mine = new AbortController();
			running = mine;
			set({transfer: {server, direction, total: 0, done: 0, bytes: 0, current: null}});
			let forAll: 'overwrite' | 'skip' | undefined;
			/**
			 * True if the user chose an "all" decision in a question about a hidden file. Otherwise
			 * hidden files are still asked about.
			 */
			let coversHidden = false;
			let arrived: string | undefined;
			/** Puts the typed path back into the field after a failure. */
			const keepTyped = (): void => {
				if (direction === 'upload') route(get).keepLine('upload', server, local);
			};
			const {cursor} = treeOf(get(), server);
			try {
				const {moveAll, transferText} = await import('../../../api/transfer.ts');
				const report = await moveAll(await itemsOf(mine.signal), {
					signal: mine.signal,
					onProgress: progress => set({transfer: {server, direction, ...progress}}),
					async decide({path, needsAsking = false}) {
						if (forAll === 'skip' || (forAll && (coversHidden || !needsAsking))) return forAll;
						const given = await new Promise<OverwriteAnswer>(resolve => {
							answer = resolve;
							mine.signal.addEventListener('abort', () => resolve('stop'), {once: true});
							route(get).openDialog({kind: 'overwrite', path, direction, isHidden: needsAsking});
						});
						if (given === 'overwrite-all' || given === 'skip-all') {
							forAll = given === 'skip-all' ? 'skip' : 'overwrite';
							coversHidden = needsAsking;
						}
						return given === 'stop' ? 'stop' : given.startsWith('skip') ? 'skip' : 'overwrite';
					},
				});
				const isWhole = report.failed.length === 0 && !report.stopped;
				const rest =
					isWhole || report.moved.length === 0
						? ''
						: '. To transfer the rest, repeat it and skip existing files';
				notices(get).notify(
					report.failed.length > 0 ? 'bad' : isWhole ? 'good' : 'info',
					transferText(report, direction === 'upload' ? 'uploaded' : 'downloaded') + rest,
				);
				for (const {path, why} of report.failed.slice(1, 20)) notices(get).notify('bad', `${path}: ${why}`);
				if (report.failed.length > 0) keepTyped();
				const [first] = report.moved;
				// After an incomplete upload the cursor stays, so that a repeated upload goes to
				// the same folder.
				if (direction === 'upload' && first && isWhole) {
					arrived = topBelow(folder, first.path);
					if (folder !== '' && !treeOf(get(), server).unfolded.has(folder))
						fileListing(get).toggleFolder(server, folder);
				}
			} catch (error) {
				notices(get).notify(mine.signal.aborted ? 'info' : 'bad', messageOf(error));
				if (!mine.signal.aborted) keepTyped();
			} finally {
				running = undefined;
				set({transfer: null});
			}
			if (direction === 'upload') await fileListing(get).refreshFolders(server);
			// If the user has moved the cursor during the upload, it stays.
			if (arrived !== undefined && treeOf(get(), server).cursor === cursor)
				fileListing(get).changeTree(server, {cursor: arrived});
		};
		return {
			lookLocally(typed) {
				const path = typed.slice(0, typed.lastIndexOf('/') + 1);
				const {localFolder, dialogCount: dialog} = get();
				if (localFolder?.path === path && localFolder.dialog === dialog) return;
				const looked = {path, dialog, entries: []};
				set({localFolder: looked});
				void localEntries?.(path).then(entries => {
					if (get().localFolder === looked) set({localFolder: {...looked, entries}});
				});
			},
			upload(server, local, folder) {
				if (running) return transferBusyText(get());
				void run(server, 'upload', {local, folder}, async signal => {
					const [{uploadItems}, {localFiles, readListed}] = await Promise.all([
						import('../../../api/transfer.ts'),
						import('../../../machine/local-file.ts'),
					]);
					return uploadItems(
						{client: await client(), server, signal},
						await localFiles(local),
						folder,
						readListed,
					);
				});
			},
			download(server, path, folder) {
				if (running) return transferBusyText(get());
				void run(server, 'download', {local: folder, folder: ''}, async signal => {
					const [{downloadItems}, {downloadFolder}, {localPath}] = await Promise.all([
						import('../../../api/transfer.ts'),
						import('../../../machine/download-folder.ts'),
						import('../../../machine/local-file.ts'),
					]);
					const on = {client: await client(), server, signal};
					const items = await downloadItems(on, path, downloadFolder(localPath(folder)));
					if (items.ok) return items.value;
					const {what, next} = explainFailure(items.failure);
					throw new Error(`${what} ${next}`);
				});
			},
			stopTransfer(server) {
				if (running === undefined || get().transfer?.server !== server) return false;
				running.abort();
				return true;
			},
			answerOverwrite(given) {
				route(get).closeDialog();
				answer?.(given);
			},
		};
	},
	firstTransfers,
);
