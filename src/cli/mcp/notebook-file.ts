import {createHash} from 'node:crypto';
import {fileIfEqual, uploadOf} from '../../api/file-bytes.ts';
import type {Client} from '../../api/client-types.ts';
import {idOfCell} from '../../text/notebook/edit.ts';
import {readNotebook, type Notebook, type NotebookCell} from '../../text/notebook/notebook.ts';
import {notebookText} from '../../text/notebook/serialize.ts';
import {label} from '../../text/safe.ts';
import {CommandError, failed, usageError} from '../command-error.ts';
import {fileBytes, isText, sized} from './file-text.ts';

/** Status with which a service rejects a write, because the file has changed since it was read. */
const OTHER_CONTENT = 412;
/** Maximum number of attempts to save a notebook while other programs save it too. */
const MOST_TRIES = 5;

/** A notebook on a server. `signal`: aborts the requests. */
export type NotebookPlace = {
	readonly client: Client;
	readonly server: string;
	readonly path: string;
	readonly signal: AbortSignal;
};

/** Path of a notebook, as shown in messages. */
export const namedPath = (path: string): string => label(JSON.stringify(path), 200);

/** @throws {CommandError} if the file is not a notebook that can be edited. */
export const readCells = async ({
	client,
	server,
	path,
	signal,
}: NotebookPlace): Promise<{readonly notebook: Notebook; readonly tag: string | null}> => {
	const read = await client.getTaggedFile(server, path, {signal});
	if (!read.ok)
		throw failed(read.failure, 'list_files lists the folder. add_cell with create makes a notebook.');
	const {entry, tag} = read.value;
	const bytes = fileBytes(path, entry);
	const notebook = isText(bytes) ? readNotebook(bytes.toString('utf8')) : 'it is binary';
	if (typeof notebook !== 'string') return {notebook, tag};
	throw usageError(
		`${namedPath(path)} cannot be used as a notebook: ${label(notebook, 300)}.`,
		'read_file shows its content.',
	);
};

/** Edited notebook. `told`: result for the caller. */
export type Edited<T> = {readonly notebook: Notebook; readonly told: T};

/**
 * Reads, edits and saves a notebook. All bytes outside the edit are unchanged. If another program
 * saves the notebook at the same time, the edit is applied to that version. An edit without changes
 * is not saved.
 * @throws {CommandError} if the notebook cannot be read, edited or saved.
 */
export const changeCells = async <T>(
	place: NotebookPlace,
	edit: (notebook: Notebook) => Edited<T>,
): Promise<T> => {
	const {client, server, path, signal} = place;
	for (let tries = 1; ; tries++) {
		const {notebook: before, tag} = await readCells(place);
		const {notebook, told} = edit(before);
		if (notebook === before) return told;
		const bytes = Buffer.from(notebookText(notebook));
		const saved = await client.putFile(server, path, uploadOf(bytes), {tag, signal});
		if (saved.ok) return told;
		const {failure} = saved;
		if (failure.ambiguous && (await fileIfEqual(client, server, path, bytes, {signal}))) return told;
		if (failure.status !== OTHER_CONTENT)
			throw failed(failure, 'list_cells shows the cells as they are now.');
		if (tries === MOST_TRIES)
			throw new CommandError(
				'conflict',
				`${namedPath(path)} was saved by another program each time this call was about to save it.`,
				'Nothing was changed. Try again.',
			);
	}
};

/** Version of a cell. It changes with the kind and the source of the cell. */
export const versionOf = ({kind, source}: Pick<NotebookCell, 'kind' | 'source'>): string =>
	createHash('sha256').update(`${kind}\0${source}`).digest('hex').slice(0, 8);

/** Name of a cell in messages. */
export const cellName = (notebook: Notebook, cell: NotebookCell): string =>
	`Cell ${notebook.cells.indexOf(cell) + 1}`;

const indexOfCell = ({cells}: Notebook, wanted: string | number, path: string): number => {
	const named = label(JSON.stringify(wanted), 80);
	const withId = cells.flatMap((cell, index) => (idOfCell(cell) === wanted ? [index] : []));
	const [index, another] = withId;
	if (another !== undefined)
		throw usageError(
			`${withId.length} cells of ${namedPath(path)} have the id ${named}.`,
			'Give the number of the cell from list_cells instead.',
		);
	if (index !== undefined) return index;
	if (typeof wanted === 'string' && !/^\d+$/.test(wanted))
		throw new CommandError(
			'not-found',
			`${namedPath(path)} has no cell with the id ${named}. It may have been deleted.`,
			'list_cells lists the cells.',
		);
	const number = Number(wanted);
	if (number >= 1 && number <= cells.length) return number - 1;
	throw new CommandError(
		'not-found',
		`${namedPath(path)} has no cell ${number}. It has ${sized(cells.length, 'cell')}${cells.length > 0 ? ', counted from 1' : ''}.`,
		'list_cells lists the cells.',
	);
};

/**
 * Cell with this id or number. `version`: version that the caller has read. Undefined accepts any
 * version.
 * @throws {CommandError} if there is no such cell, or if it has another version.
 */
export const cellIn = (
	notebook: Notebook,
	path: string,
	{cell: wanted, version}: {readonly cell: string | number; readonly version?: string | undefined},
): NotebookCell => {
	const cell = notebook.cells[indexOfCell(notebook, wanted, path)];
	if (cell === undefined) throw new TypeError('no such cell');
	const now = versionOf(cell);
	if (version === undefined || version === now) return cell;
	throw new CommandError(
		'conflict',
		`${cellName(notebook, cell)} of ${namedPath(path)} is not the one with version ${label(JSON.stringify(version), 40)}: it has changed, or cells above it were added, removed or moved.`,
		`Its version is now ${now}: read_cell shows it, and list_cells all cells. Nothing was changed.`,
	);
};
