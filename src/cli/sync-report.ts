import type {LocalTree} from '../machine/local-tree.ts';
import {joinNames} from '../text/join-names.ts';
import {label} from '../text/safe.ts';
import type {Context} from './context.ts';
import {printJson, printNotice, printResult} from './print.ts';

export type SyncPlace = {
	readonly server: string;
	/** Folder on the server. Empty for its root. */
	readonly root: string;
	/** Local folder. */
	readonly folder: string;
	/** Path on the server of a relative local path. */
	readonly pathOf: (path: string) => string;
};

/** Result of a sync, or its plan. Paths are relative to the synced folder. */
export type SyncReport = {
	readonly sent: {readonly path: string; readonly bytes: number}[];
	/** Number of files that are equal on the server. */
	same: number;
	readonly deleted: string[];
	readonly failed: {readonly path: string; readonly message: string}[];
	/** Symbolic links, which are skipped. */
	readonly links: readonly string[];
};

export const emptyReport = ({missed, links}: Pick<LocalTree, 'missed' | 'links'>): SyncReport => ({
	sent: [],
	same: 0,
	deleted: [],
	failed: missed.map(({path, why}) => ({path, message: why})),
	links,
});

const filesIn = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'}`;

/** Prints a report and returns the exit code. */
export const printSync = async (
	context: Context,
	{server}: SyncPlace,
	{sent, same, deleted, failed, links}: SyncReport,
	dryRun: boolean,
): Promise<number> => {
	if (!context.json) {
		for (const {path, message} of failed)
			await printNotice(context, `${label(path, 200)}: ${label(message, 400)}`);
		if (links.length > 0) await printNotice(context, `Symbolic links skipped: ${joinNames(links)}.`);
	}
	const bytes = sent.reduce((sum, each) => sum + each.bytes, 0).toLocaleString('en');
	const rest = [
		`${same.toLocaleString('en')} unchanged`,
		...(failed.length > 0 ? [`${failed.length} failed`] : []),
	];
	const words = dryRun
		? [
				`${filesIn(sent.length)} to send, ${bytes} bytes`,
				...(deleted.length > 0 ? [`${deleted.length} to delete`] : []),
				...rest,
			]
		: [
				`${filesIn(sent.length)} sent, ${bytes} bytes`,
				...(deleted.length > 0 ? [`${deleted.length} deleted`] : []),
				...rest,
			];
	const lines = dryRun
		? [
				...sent.map(({path}) => `send    ${label(path, 400)}\n`),
				...deleted.map(path => `delete  ${label(path, 400)}\n`),
			]
		: [];
	await printResult(
		context,
		dryRun ? {to_send: sent, same, to_delete: deleted, failed, links} : {sent, same, deleted, failed, links},
		`${lines.join('')}${label(server, 60)}: ${words.join('; ')}\n`,
	);
	return failed.length > 0 ? 1 : 0;
};

/** Maximum number of names printed per round. Of a longer list, only the number is printed. */
const MOST_NAMES = 20;

/** Prints one round of a watched folder, unless nothing was sent or deleted. */
export const printRound = async (context: Context, {sent, deleted, ...rest}: SyncReport): Promise<void> => {
	if (sent.length + deleted.length === 0) return;
	if (context.json) return printJson(context, {sent, deleted, ...rest});
	const linesOf = (word: string, paths: readonly string[]): readonly string[] =>
		paths.length > MOST_NAMES
			? [`${word}${filesIn(paths.length)}\n`]
			: paths.map(path => `${word}${label(path, 400)}\n`);
	const names = sent.map(({path}) => path);
	await context.stdout.write([...linesOf('sent     ', names), ...linesOf('deleted  ', deleted)].join(''));
};
