import {messageOf} from '../../text/errors.ts';
import {label} from '../../text/safe.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {WHOLE_PICTURE, type PictureZoom} from '../../text/output/picture-zoom.ts';
import {encodePicture, readPicture, type Picture} from './read-picture.ts';
import type {SentPicture} from './sent.ts';
import {part, type App} from '../core/app.ts';
import {control} from '../core/store/session.ts';
import {route} from '../core/store/route.ts';
import {notices} from '../core/store/notices.ts';

export type PictureView = SentPicture & {
	/** The decoded picture; null until it is decoded. */
	readonly picture: Picture | null;
	readonly zoom: PictureZoom;
};

export type PicturesState = {readonly pictureView: PictureView | null};

export type PictureViewer = {
	openPicture(sent: SentPicture): void;
	closePicture(): void;
	zoomPicture(zoom: PictureZoom): void;
	/** Opens a picture in the system's viewer, encoded as a new PNG. */
	viewOutside(sent: SentPicture): Promise<void>;
	/**
	 * Saves the original bytes of a picture. Never overwrites a file. Resolves to false if saving
	 * failed.
	 */
	savePicture(sent: SentPicture, path: string): Promise<boolean>;
};

/** Size limit of an enlarged picture in pixels: enough to read the labels of a plot. */
const MOST_ENLARGED = {width: 2048, height: 2048};
const AS_LARGE_AS_IT_IS = {width: Infinity, height: Infinity};

const firstPictures = (): PicturesState => ({pictureView: null});

export const pictureViewer = part(
	'pictureViewer',
	({get, set, deps: {openPicture: open = async () => false}}: App): PictureViewer => {
		const saving = new WeakSet<SentPicture>();
		return {
			openPicture(sent) {
				control(get).askPictures();
				set({pictureView: {...sent, picture: null, zoom: WHOLE_PICTURE}});
				route(get).openDialog({kind: 'picture'});
				void readPicture(sent.bytes, {most: MOST_ENLARGED}).then(picture => {
					const view = get().pictureView;
					if (view?.bytes === sent.bytes) set({pictureView: {...view, picture}});
				});
			},
			closePicture() {
				set({pictureView: null});
				route(get).closeDialog();
			},
			zoomPicture(zoom) {
				const {pictureView} = get();
				if (pictureView !== null) set({pictureView: {...pictureView, zoom}});
			},
			async viewOutside({name, bytes}) {
				const what = label(name, 60);
				const made = await encodePicture(bytes, {as: 'png', size: AS_LARGE_AS_IT_IS, colours: Infinity});
				if ('problem' in made)
					return notices(get).notify('bad', `${what} was not opened: ${label(made.problem, 200)}`);
				try {
					if (await open(Buffer.from(made.encoded, 'base64')))
						notices(get).notify('good', `${what} opened in your picture viewer`);
					else
						notices(get).notify(
							'info',
							`No picture viewer found. ${keyFor('picture.save')} saves the picture`,
						);
				} catch (error) {
					notices(get).notify('bad', `${what} was not opened: ${messageOf(error)}`);
				}
			},
			async savePicture(sent, path) {
				// A second Enter is ignored while the first one is saving.
				if (saving.has(sent)) return false;
				saving.add(sent);
				try {
					const {writeNewFile} = await import('../../machine/local-file.ts');
					notices(get).notify(
						'good',
						`Saved the picture to ${label(await writeNewFile(path, sent.bytes), 300)}`,
					);
					return true;
				} catch (error) {
					notices(get).notify('bad', messageOf(error));
					return false;
				} finally {
					saving.delete(sent);
				}
			},
		};
	},
	firstPictures,
);
