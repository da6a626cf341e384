import type {CellOutput} from '../../../contract/cells.ts';
import type {Slice} from '../../core/program.ts';
import {readPicture, type Picture} from '../../pictures/read-picture.ts';
import {pictureIn} from '../../cells/pictures.ts';
import type {ServerFile} from '../content.ts';

export type OutputPicturesSlice = {
	readNotebookPictures(file: ServerFile, outputs: readonly CellOutput[]): void;
};

const pictures = new WeakMap<object, Picture | null>();
/** The picture of an output; undefined while it is not read. */
export const pictureOfOutput = (output: object): Picture | undefined => pictures.get(output) ?? undefined;

export const createOutputPicturesSlice = (): Slice<OutputPicturesSlice> => (_, get) => ({
	readNotebookPictures(file, outputs) {
		for (const output of outputs) {
			const bytes = pictures.has(output) ? null : pictureIn(output);
			if (bytes === null) continue;
			pictures.set(output, null);
			void readPicture(bytes).then(picture => {
				pictures.set(output, picture);
				get().changeNotebook(file, open => ({pictures: open.pictures + 1}));
			});
		}
	},
});
