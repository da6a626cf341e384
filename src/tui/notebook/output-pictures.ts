import type {CellOutput} from '../../contract/cells.ts';
import {readPicture, type Picture} from '../pictures/read-picture.ts';
import {pictureIn} from '../cells/pictures.ts';
import type {ServerFile} from '../files/content.ts';
import type {OpenNotebook} from './open-notebook.ts';

const pictures = new WeakMap<object, Picture | null>();
/** The decoded picture of an output; undefined until it is read. */
export const pictureOfOutput = (output: object): Picture | undefined => pictures.get(output) ?? undefined;

/** Decodes the pictures among outputs, each once, and counts them in the notebook. */
export const createPictureReader =
	(change: (file: ServerFile, how: (open: OpenNotebook) => Partial<OpenNotebook>) => void) =>
	(file: ServerFile, outputs: readonly CellOutput[]): void => {
		for (const output of outputs) {
			const bytes = pictures.has(output) ? null : pictureIn(output);
			if (bytes === null) continue;
			pictures.set(output, null);
			void readPicture(bytes).then(picture => {
				pictures.set(output, picture);
				change(file, open => ({pictures: open.pictures + 1}));
			});
		}
	};
