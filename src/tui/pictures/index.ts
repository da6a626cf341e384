import {dialog, type Room} from '../core/room.ts';
import {PictureDialog} from './dialogs/picture.tsx';
import {pictureKeys} from './keys.ts';
import {createPicturesSlice, type PicturesSlice} from './slice.ts';

type Keys = typeof pictureKeys;

declare module '../core/program.ts' {
	interface State extends PicturesSlice {}
	interface Keymap extends Keys {}
	interface Dialogs {
		picture: {};
	}
}

export const pictures: Room = {
	slices: [() => createPicturesSlice],
	keys: pictureKeys,
	dialogs: [
		dialog({
			kind: 'picture',
			scope: 'picture',
			handlers: {picture: ({get}) => ({close: () => get().closePicture()})},
			dismiss: state => state.closePicture(),
			Dialog: PictureDialog,
		}),
	],
};
