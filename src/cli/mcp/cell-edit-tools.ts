import {sendBytes} from '../../api/file-bytes.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {
	idOfCell,
	insertCells,
	withKind,
	withMoved,
	withoutCell,
	withSource,
} from '../../text/notebook/edit.ts';
import {newNotebook} from '../../text/notebook/new-notebook.ts';
import type {Notebook, NotebookCell} from '../../text/notebook/notebook.ts';
import {notebookText} from '../../text/notebook/serialize.ts';
import {CommandError, failed, usageError} from '../command-error.ts';
import {serverPath} from '../files.ts';
import {cellId, cellVersion, notebookPath} from './cell-tools.ts';
import {askAboutPath} from './guarded.ts';
import {namedServer} from './named-server.ts';
import {cellIn, cellName, changeCells, namedPath, versionOf, type Edited} from './notebook-file.ts';
import {sized} from './file-text.ts';
import * as z from './sdk.ts';
import {serverName, tool, type Call, type Tool} from './tool.ts';

const kind = z.enum(['code', 'markdown', 'raw']);

/**
 * Checks that a tool may write a notebook, and returns its path. @throws {CommandError} if it may
 * not.
 */
export const writable = async (call: Call, server: string, typed: string): Promise<string> => {
	const path = serverPath(typed);
	await namedServer(call, server);
	const act = call.context.typed('files', 'put', server, 'FILE', path);
	await askAboutPath(call, {does: 'write', server, path, act});
	return path;
};

/** Sentence on a saved cell, with its number, id and version for the next call. */
const savedAs = (notebook: Notebook, cell: NotebookCell, does: string, path: string): string => {
	const id = idOfCell(cell);
	const upgraded =
		notebook.upgradedFrom === null ? '' : ` The file had nbformat ${notebook.upgradedFrom} and now has 4.`;
	return `${cellName(notebook, cell)} ${does} in ${namedPath(path)}${id === null ? '' : ` (id ${id})`}; its version is ${versionOf(cell)}.${upgraded}`;
};

/** Edits a notebook. Returns a sentence about the cell that the edit returned. */
const edited = async (
	call: Call,
	{server, path}: {readonly server: string; readonly path: string},
	edit: (notebook: Notebook) => Edited<string>,
): Promise<{readonly facts: string}> => {
	const {client} = call.service;
	return {facts: await changeCells({client, server, path, signal: call.context.signal}, edit)};
};

const cellAt = ({cells}: Notebook, key: number): NotebookCell => {
	const cell = cells.find(each => each.key === key);
	if (cell === undefined) throw new TypeError('the edit lost its cell');
	return cell;
};

/**
 * Creates a notebook with one cell. @throws {CommandError} if the file exists or cannot be written.
 */
const createWith = async (
	{context, service}: Call,
	{server, path}: {readonly server: string; readonly path: string},
	cell: {readonly kind: z.infer<typeof kind>; readonly source: string},
	kernel: string,
): Promise<{readonly facts: string}> => {
	const {signal} = context;
	const there = await service.client.getFile(server, path, {signal});
	if (there.ok)
		throw usageError(`${namedPath(path)} already exists.`, 'Leave out create. Nothing was changed.');
	if (there.failure.kind !== 'not-found') throw failed(there.failure, 'Nothing was written.');
	const notebook = newNotebook(kernel, [cell]);
	const sent = await sendBytes(service.client, server, path, Buffer.from(notebookText(notebook)), {signal});
	if (!sent.ok) throw failed(sent.failure);
	const [made] = notebook.cells;
	if (made === undefined) throw new TypeError('a new notebook has a cell');
	return {facts: savedAs(notebook, made, 'was added', path)};
};

const addCell = tool({
	name: 'add_cell',
	title: 'Add a cell',
	description:
		'Adds a cell to a notebook on a running server, at the end or after another cell, and saves the file. All other bytes of the file stay as they are.',
	needs: ['write'],
	hints: {readOnly: false},
	input: z.strictObject({
		server: serverName,
		path: notebookPath,
		source: z.string(),
		kind: kind.default('code'),
		after: z
			.union([z.string().min(1), z.int().min(0)])
			.optional()
			.describe('Id or number of the cell above it; 0 adds it at the top (default: at the end)'),
		create: z.boolean().default(false).describe('Create the notebook, which must not exist'),
		kernel: z.string().min(1).default(DEFAULT_KERNEL).describe('Kernel of a notebook that is created'),
	}),
	async run(call, {server, path: typed, source, kind: given, after, create, kernel}) {
		const path = await writable(call, server, typed);
		if (create) return createWith(call, {server, path}, {kind: given, source}, kernel);
		return edited(call, {server, path}, notebook => {
			const {cells} = notebook;
			const at =
				after === undefined
					? cells.length
					: after === 0 || after === '0'
						? 0
						: cells.indexOf(cellIn(notebook, path, {cell: after})) + 1;
			const {notebook: now, key} = insertCells(notebook, at, [{kind: given, source}]);
			return {notebook: now, told: savedAs(now, cellAt(now, key), 'was added', path)};
		});
	},
});

/** Source with a part replaced. @throws {CommandError} unless the part occurs exactly once. */
const withPart = ({source}: NotebookCell, name: string, part: string, by: string): string => {
	const parts = source.split(part);
	if (parts.length === 2) return parts.join(by);
	if (parts.length === 1)
		throw new CommandError(
			'not-found',
			`old_text was not found in ${name.toLowerCase()}.`,
			'read_cell shows its source. Nothing was changed.',
		);
	throw usageError(
		`old_text occurs in ${name.toLowerCase()} ${sized(parts.length - 1, 'time')}.`,
		'Include more of the surrounding text, or give the whole source. Nothing was changed.',
	);
};

const editCell = tool({
	name: 'edit_cell',
	title: 'Edit a cell',
	description:
		'Changes a notebook cell on a running server and saves the file: either a part of its source (old_text occurs exactly once, new_text replaces it), or the whole source, with the version of the cell that you have read. Its outputs stay until it runs again.',
	needs: ['write'],
	hints: {readOnly: false, destructive: true},
	input: z.strictObject({
		server: serverName,
		path: notebookPath,
		cell: cellId,
		version: cellVersion.optional(),
		old_text: z.string().min(1).optional().describe('Exact part of the source'),
		new_text: z.string().optional(),
		source: z.string().optional().describe('New source of the whole cell; needs version'),
		kind: kind.optional().describe('New kind of the cell; code that becomes text loses its outputs'),
	}),
	async run(call, {server, path: typed, cell: wanted, version, old_text, new_text, source, kind: next}) {
		if ((old_text === undefined) !== (new_text === undefined))
			throw usageError('old_text and new_text belong together.', 'Nothing was changed.');
		if (source !== undefined && old_text !== undefined)
			throw usageError('Give either source, or old_text and new_text.', 'Nothing was changed.');
		if (source === undefined && old_text === undefined && next === undefined)
			throw usageError('Give source, old_text and new_text, or kind.', 'Nothing was changed.');
		if (source !== undefined && version === undefined)
			throw usageError(
				'A whole source replaces the old one, so it needs the version of the cell.',
				'read_cell shows source and version. Nothing was changed.',
			);
		const path = await writable(call, server, typed);
		return edited(call, {server, path}, notebook => {
			const cell = cellIn(notebook, path, {cell: wanted, version});
			const name = cellName(notebook, cell);
			const text =
				source ?? (old_text === undefined ? cell.source : withPart(cell, name, old_text, new_text ?? ''));
			const changed = withSource(notebook, cell.key, text);
			const now = next === undefined || next === cell.kind ? changed : withKind(changed, cell.key, next);
			const does = now === notebook ? 'is the same as before' : 'was changed';
			return {notebook: now, told: savedAs(now, cellAt(now, cell.key), does, path)};
		});
	},
});

const moveCell = tool({
	name: 'move_cell',
	title: 'Move a cell',
	description: 'Moves a notebook cell on a running server, with its outputs, and saves the file.',
	needs: ['write'],
	hints: {readOnly: false},
	input: z.strictObject({
		server: serverName,
		path: notebookPath,
		cell: cellId,
		version: cellVersion.optional(),
		to: z.int().min(1).describe('New number of the cell, counted from 1'),
	}),
	async run(call, {server, path: typed, cell: wanted, version, to}) {
		const path = await writable(call, server, typed);
		return edited(call, {server, path}, notebook => {
			const {key} = cellIn(notebook, path, {cell: wanted, version});
			let now = notebook;
			const place = (): number => now.cells.findIndex(each => each.key === key) + 1;
			const last = Math.min(to, notebook.cells.length);
			while (place() !== last) now = withMoved(now, key, place() < last ? 1 : -1);
			return {notebook: now, told: savedAs(now, cellAt(now, key), 'is now', path)};
		});
	},
});

const deleteCell = tool({
	name: 'delete_cell',
	title: 'Delete a cell',
	description: 'Deletes a notebook cell on a running server, with its outputs, and saves the file.',
	needs: ['write'],
	hints: {readOnly: false, destructive: true},
	input: z.strictObject({server: serverName, path: notebookPath, cell: cellId, version: cellVersion}),
	async run(call, {server, path: typed, cell: wanted, version}) {
		const path = await writable(call, server, typed);
		return edited(call, {server, path}, notebook => {
			const cell = cellIn(notebook, path, {cell: wanted, version});
			const now = withoutCell(notebook, cell.key);
			const told = `${cellName(notebook, cell)} was deleted from ${namedPath(path)}, which now has ${sized(now.cells.length, 'cell')}.`;
			return {notebook: now, told};
		});
	},
});

export const CELL_EDIT_TOOLS: readonly Tool[] = [addCell, editCell, moveCell, deleteCell];
