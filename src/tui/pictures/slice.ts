import type {Slice} from '../core/program.ts';
import {readPicture, type Picture} from './read-picture.ts';

/** A picture that is open over the whole screen. */
export type PictureView = {
	/** What it is of: a path, a cell. */
	readonly name: string;
	/** The file as the server sent it: PNG or JPEG. */
	readonly bytes: Uint8Array;
	/** Null while it is read. */
	readonly picture: Picture | null;
};

export type PicturesSlice = {
	readonly pictureView: PictureView | null;
	openPicture(name: string, base64: string): void;
	closePicture(): void;
};

export const createPicturesSlice: Slice<PicturesSlice> = (set, get) => ({
	pictureView: null,
	openPicture(name, base64) {
		get().askPictures();
		const bytes = Buffer.from(base64, 'base64');
		set({pictureView: {name, bytes, picture: null}});
		get().openDialog({kind: 'picture'});
		void readPicture(bytes).then(picture => {
			if (get().pictureView?.bytes === bytes) set({pictureView: {name, bytes, picture}});
		});
	},
	closePicture() {
		set({pictureView: null});
		get().closeDialog();
	},
});
