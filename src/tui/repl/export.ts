import {explainFailure} from '../../api/failure.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {errorOfCell, outputOfCell} from '../cells/cell-text.ts';
import {explainCell as explainFailedCell} from '../files/explain-cell.ts';
import {hasFailed} from '../cells/cell.ts';
import {replOf} from './transcript.ts';
import {exported, NOTEBOOK_FORMATS, type NotebookFormat} from './export-formats.ts';
import {messageOf} from '../../text/errors.ts';
import {turnsOf} from './ports.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';
import {notebookOpening} from '../notebook/open.ts';

export type SessionExport = {
	/**
	 * Collects everything that explains the error of a cell, and shows it to the user before
	 * sending. Returns a sentence if there is nothing to explain.
	 */
	explainCell(server: string, id: number): string | void;
	/**
	 * Writes the session to a new file and reports the path, or the failure. The file extension
	 * selects the format.
	 */
	exportSession(server: string, target: ExportTarget): Promise<void>;
	/**
	 * Creates a notebook without cells on the server and opens it for editing. False after a
	 * failure, which a notice reports.
	 */
	makeNotebook(server: string, typed: string): Promise<boolean>;
};

/**
 * `withTurns`: adds questions and answers, in order of time. `withEarlier`: adds cells of earlier
 * runs of the program. `opens`: opens the written notebook, even if it has no cells.
 */
export type ExportTarget = {
	readonly path: string;
	readonly place: 'here' | 'server';
	readonly withTurns: boolean;
	readonly withEarlier: boolean;
	readonly opens?: true;
};

/** Turns a server's name into a part of a file name. */
const fileWord = (name: string): string =>
	name
		.replaceAll(/[^\w.-]+/g, '-')
		.slice(0, 40)
		.replace(/^[.-]+/, '') || 'session';

/** Default file name of a session, without extension. */
export const nameOfSession = (server: string): string =>
	`${fileWord(server)}-${new Date().toLocaleString('sv').slice(0, 16).replace(' ', '-').replace(':', '')}`;

/** Path of a new notebook with the typed name, or with the default one. */
export const notebookPath = (server: string, typed: string): string => {
	const name = typed.replace(/^\/+/, '') || nameOfSession(server);
	return /\.ipynb$/i.test(name) ? name : `${name}.ipynb`;
};

export const formatOf = (path: string): NotebookFormat | null =>
	NOTEBOOK_FORMATS.find(format => path.endsWith(`.${format}`)) ?? null;

export const sessionExport = part('sessionExport', ({get, deps: {client}}: App): SessionExport => {
	/** Returns the location of the file. @throws {Error} with a sentence for the user. */
	const write = async (
		server: string,
		{path, place}: Pick<ExportTarget, 'path' | 'place'>,
		text: string,
	): Promise<string> => {
		if (place === 'here') return (await import('../../machine/local-file.ts')).writeNewFile(path, text);
		const reached = await client();
		const before = await reached.getFile(server, path);
		if (before.ok)
			throw new Error(`${path} is on ${server} already and was not overwritten: give another name.`);
		if (before.failure.kind !== 'not-found') throw new Error(explainFailure(before.failure).what);
		const reply = await reached.putFile(server, path, {content: text, format: 'text', type: 'file'});
		if (!reply.ok) throw new Error(explainFailure(reply.failure).what);
		return `${path} on ${server}`;
	};
	return {
		async exportSession(server, target) {
			const format = formatOf(target.path);
			if (format === null)
				return notices(get).notify('info', 'End the name in .ipynb, .py or .md to choose the format');
			const {cells: shown, older, kernel} = replOf(get(), server);
			const cells = target.withEarlier ? [...older, ...shown] : shown.filter(cell => cell.earlier === null);
			const turns = target.withTurns ? turnsOf(get, server) : [];
			if (cells.length + turns.length === 0 && !target.opens)
				return notices(get).notify('info', 'Nothing has been run here yet');
			try {
				const where = await write(server, target, exported({cells, turns, kernel}, format, outputOfCell));
				notices(get).notify(
					'good',
					`${cells.length} cell${cells.length === 1 ? '' : 's'}${turns.length > 0 ? ` and ${turns.length} question${turns.length === 1 ? '' : 's'}` : ''} written to ${where}`,
				);
				if (target.opens) await notebookOpening(get).openNotebook(server, target.path);
			} catch (error) {
				notices(get).notify('bad', messageOf(error));
			}
		},
		async makeNotebook(server, typed) {
			const path = notebookPath(server, typed);
			try {
				const text = exported({cells: [], turns: [], kernel: DEFAULT_KERNEL}, 'ipynb', outputOfCell);
				await write(server, {path, place: 'server'}, text);
				await notebookOpening(get).openNotebook(server, path);
				return true;
			} catch (error) {
				notices(get).notify('bad', messageOf(error));
				return false;
			}
		},
		explainCell(server, id) {
			const {cells} = replOf(get(), server);
			const cell = cells.find(each => each.id === id);
			if (cell === undefined || !hasFailed(cell))
				return 'This cell has not failed: there is no error to explain';
			if (errorOfCell(cell) === null) return 'The service did not run this cell, so its code raised no error';
			const session = cell.earlier?.session;
			const earlier = cells.slice(0, cells.indexOf(cell)).filter(each => each.earlier?.session === session);
			return explainFailedCell(
				get,
				server,
				cell,
				earlier.map(({source, result}) => ({source, count: result?.execution_count ?? null})),
			);
		},
	};
});
