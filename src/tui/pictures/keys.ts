import {actionOn, refused, type KeyScopes} from '../core/keys/action.ts';
import {route} from '../core/store/route.ts';
import {pictureViewer} from './pictures.ts';

const onPicture = actionOn(({get}) => get().pictureView ?? refused('There is no picture'));

export const pictureKeys: KeyScopes = {
	picture: {
		where: 'picture',
		isDialog: true,
		actions: {
			outside: onPicture({
				keys: ['o'],
				label: 'your picture viewer',
				hint: true,
				run: (picture, {get}) => void pictureViewer(get).viewOutside(picture),
			}),
			save: onPicture({
				keys: ['S'],
				label: 'save',
				hint: true,
				run: (picture, {get}) => route(get).openDialog({kind: 'save-picture', picture}),
			}),
			close: {keys: ['esc', 'q'], label: 'back', run: ({get}) => pictureViewer(get).closePicture()},
		},
	},
};
