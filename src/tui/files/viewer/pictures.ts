import {setTimeout as delay} from 'node:timers/promises';
import type {FileEntry} from '../../../contract/files.ts';
import {readPicture, type Picture} from '../../pictures/read-picture.ts';
import {pictureIn} from '../../cells/pictures.ts';
import {jsonOf, jsonProblemOf, kindOf} from './format-file.ts';
import {firstCellsOf} from './notebook-preview.ts';
import {notebookOf, picturesIn, withPicture, type Notebook} from '../../cells/rows/read-notebook.ts';

// Cached by file object, because the values depend on the file only.
const pictures = new WeakMap<FileEntry, Picture>();
const notebooks = new WeakMap<FileEntry, Notebook>();

/** Bytes of a picture file, SVG included; null for other files. */
export const pictureBytes = (file: FileEntry): Uint8Array | null => {
	const kind = kindOf(file);
	return (kind === 'picture' || kind === 'svg') && typeof file.content === 'string'
		? Buffer.from(file.content, file.format === 'base64' ? 'base64' : 'utf8')
		: null;
};

/** The decoded picture of a file; null until it is decoded. */
export const pictureOf = (file: FileEntry): Picture | null => pictures.get(file) ?? null;

/** The notebook, parsed completely. `problem` describes a JSON error; null if there is none. */
const wholeNotebook = (file: FileEntry): Notebook => {
	const value = jsonOf(file);
	return value === undefined ? {cells: [], problem: jsonProblemOf(file)} : notebookOf(value);
};

/** The notebook as parsed so far, with the pictures decoded so far. */
export const notebookIn = (file: FileEntry): Notebook => {
	const beginning = (): Notebook | null =>
		typeof file.content === 'string' ? firstCellsOf(file.content) : null;
	const notebook = notebooks.get(file) ?? beginning() ?? wholeNotebook(file);
	notebooks.set(file, notebook);
	return notebook;
};

/**
 * Parses the rest of a notebook. Cells that are already parsed remain the same objects, so their
 * cached rows stay valid.
 */
export const readWhole = (file: FileEntry): void => {
	const part = notebooks.get(file);
	if (!part?.isPart) return;
	const {cells, problem} = wholeNotebook(file);
	notebooks.set(file, {
		cells: problem === null ? [...part.cells, ...cells.slice(part.cells.length)] : cells,
		problem,
	});
};

/** Time for the start of a notebook to be drawn before the rest is parsed, in ms. */
const FIRST_FRAME = 40;

/**
 * Decodes the picture if the file is one. If it is a notebook, parses the rest and then decodes its
 * pictures. Stops when `isWanted` returns false.
 */
export const readPictures = async (
	file: FileEntry,
	isWanted: () => boolean,
	onRead: () => void,
): Promise<void> => {
	const bytes = pictureOf(file) === null ? pictureBytes(file) : null;
	if (bytes !== null) {
		pictures.set(file, await readPicture(bytes));
		if (isWanted()) onRead();
	}
	if (kindOf(file) !== 'notebook') return;
	if (notebookIn(file).isPart) {
		await delay(FIRST_FRAME);
		if (!isWanted()) return;
		readWhole(file);
		onRead();
	}
	for (const place of picturesIn(notebookIn(file))) {
		const cell = notebookIn(file).cells[place.at];
		if (cell?.kind === 'code' && cell.cell.pictures.has(place.output)) continue;
		const picture = await readPicture(pictureIn(place.source) ?? Buffer.alloc(0));
		notebooks.set(file, withPicture(notebookIn(file), place, picture));
		if (!isWanted()) return;
		onRead();
	}
};
