import type {FileEntry} from '../../contract/files.ts';
import {readPicture, type Picture} from '../pictures/read-picture.ts';
import {jsonOf, kindOf} from './laid-out.ts';
import {notebookOf, picturesIn, withPicture, type Notebook} from './notebook-lines.ts';

// Both follow from the file alone, and are kept as long as it is.
const pictures = new WeakMap<FileEntry, Picture>();
const notebooks = new WeakMap<FileEntry, Notebook>();

/** The picture that a file is; null until it is read. */
export const pictureOf = (file: FileEntry): Picture | null => pictures.get(file) ?? null;

/** The notebook that a file is, with the pictures that were read so far. */
export const notebookIn = (file: FileEntry): Notebook => {
	const notebook = notebooks.get(file) ?? notebookOf(jsonOf(file));
	notebooks.set(file, notebook);
	return notebook;
};

/** Reads the picture that a file is, or one after the other those of a notebook, as long as `isWanted`. */
export const readPictures = async (
	file: FileEntry,
	isWanted: () => boolean,
	onRead: () => void,
): Promise<void> => {
	const kind = kindOf(file);
	if (kind === 'picture' && typeof file.content === 'string' && pictureOf(file) === null) {
		pictures.set(file, await readPicture(Buffer.from(file.content, 'base64')));
		if (isWanted()) onRead();
	}
	if (kind !== 'notebook') return;
	for (const place of picturesIn(notebookIn(file))) {
		const cell = notebookIn(file).cells[place.at];
		if (cell?.kind === 'code' && cell.cell.pictures.has(place.output)) continue;
		const picture = await readPicture(Buffer.from(place.base64, 'base64'));
		notebooks.set(file, withPicture(notebookIn(file), place, picture));
		if (!isWanted()) return;
		onRead();
	}
};
