import {label} from '../../../text/safe.ts';
import {chooser} from '../../core/dialogs/chooser.tsx';
import {fileNameOf} from '../sent.ts';
import {pictureViewer} from '../pictures.ts';
import {route} from '../../core/store/route.ts';

/** Asks for the file to save a picture to. The dialog stays open if the file already exists. */
export const savePicture = chooser({kind: 'save-picture'}, ({get}, {picture}) => ({
	title: `Save ${label(picture.name, 60)}`,
	initial: `./${fileNameOf(picture)}`,
	enterLabel: 'save',
	choicesFor: () => [],
	empty: 'Path on this machine. The original bytes are saved.',
	whyNot: typed => (typed.trim() === '' ? 'Type a file name' : undefined),
	onEnter(typed) {
		const path = typed.trim();
		void pictureViewer(get)
			.savePicture(picture, path)
			.then(isSaved => {
				const {dialogs} = get();
				const open = dialogs.at(-1);
				if (isSaved && open?.kind === 'save-picture' && open.picture === picture) route(get).closeDialog();
			});
		return true;
	},
}));
