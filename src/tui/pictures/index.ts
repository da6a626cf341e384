import {dialog, type Room} from '../core/room.ts';
import {PictureDialog} from './dialogs/picture-dialog.tsx';
import {savePicture} from './dialogs/save-picture.ts';
import {pictureKeys} from './keys.ts';
import type {SentPicture} from './sent.ts';
import {createPlacedSlice, type PlacedSlice} from './placed.ts';
import {createPicturesSlice, type PicturesSlice} from './pictures.ts';

type Keys = typeof pictureKeys;

declare module '../core/program.ts' {
	interface State extends PicturesSlice, PlacedSlice {}
	interface Keymap extends Keys {}
	interface Dialogs {
		picture: {};
		'save-picture': {picture: SentPicture};
	}
}

export const pictures: Room = {
	slices: [createPicturesSlice, createPlacedSlice],
	keys: pictureKeys,
	dialogs: [
		dialog({
			kind: 'picture',
			scope: 'picture',
			handlers: {
				picture({get}) {
					const view = get().pictureView;
					return {
						outside: () => void (view && get().viewOutside(view)),
						save: () => void (view && get().openDialog({kind: 'save-picture', picture: view})),
						close: () => get().closePicture(),
					};
				},
			},
			dismiss: state => state.closePicture(),
			Dialog: PictureDialog,
		}),
		savePicture,
	],
};
