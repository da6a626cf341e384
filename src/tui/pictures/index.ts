import {dialog, type Feature} from '../core/feature.ts';
import {PictureDialog} from './dialogs/picture-dialog.tsx';
import {savePicture} from './dialogs/save-picture.ts';
import {pictureKeys} from './keys.ts';
import type {SentPicture} from './sent.ts';
import {placedPictures, type PlacedState} from './placed.ts';
import {pictureViewer, type PicturesState} from './pictures.ts';

declare module '../core/program.ts' {
	interface State extends PicturesState, PlacedState {}
	interface Scopes {
		picture: true;
	}
	interface Dialogs {
		picture: {};
		'save-picture': {picture: SentPicture};
	}
}

export const pictures: Feature = {
	parts: [pictureViewer, placedPictures],
	keys: pictureKeys,
	dialogs: [
		dialog({
			kind: 'picture',
			coversTitles: true,
			scope: 'picture',
			dismiss: state => pictureViewer(state.app).closePicture(),
			Dialog: PictureDialog,
		}),
		savePicture,
	],
};
