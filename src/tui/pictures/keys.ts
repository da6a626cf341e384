import {actionOn, refused, type KeyScopes} from '../core/keys/action.ts';
import {route} from '../core/store/route.ts';
import {pictureViewer, type PictureView} from './pictures.ts';
import {
	largestScale,
	pannedBy,
	WHOLE_PICTURE,
	zoomedBy,
	type PictureZoom,
} from '../../text/output/picture-zoom.ts';
import type {Size} from '../../text/pixels/size.ts';
import {bodyOf} from '../core/frame/layout.ts';
import type {KeyContext, Rect} from '../core/program.ts';

/**
 * Screen area for a picture: the body without the row of its name, as picture-dialog.tsx draws it.
 */
export const pictureRoom = ({x, y, width, height}: Rect): Rect => ({
	x: x + 1,
	y: y + 1,
	width: width - 2,
	height: height - 1,
});

/**
 * Null, which hides the label, if zooming has no effect. Only a large picture drawn in cells can
 * zoom.
 */
const whileSmaller = ({picture, zoom}: PictureView, {get, columns, rows}: KeyContext): null | undefined =>
	get().pictureLook.how === 'blocks' &&
	picture !== null &&
	'bitmap' in picture &&
	zoom.scale < largestScale(picture.bitmap, pictureRoom(bodyOf(columns, rows)))
		? undefined
		: null;
const onPicture = actionOn(({get}) => get().pictureView ?? refused('There is no picture'));

/** Changes the zoom of a picture that is drawn in cells. */
const zoomTo =
	(change: (picture: Size, room: Size, zoom: PictureZoom) => PictureZoom, atLimit: string) =>
	({picture, zoom}: PictureView, {get, columns, rows}: KeyContext): string | void => {
		if (get().pictureLook.how !== 'blocks') return 'Your terminal draws the whole picture in pixels';
		if (picture === null || 'problem' in picture) return 'The picture is not drawn';
		const next = change(picture.bitmap, pictureRoom(bodyOf(columns, rows)), zoom);
		if (next.scale === zoom.scale && next.x === zoom.x && next.y === zoom.y) return atLimit;
		pictureViewer(get).zoomPicture(next);
	};
const panTo = (direction: {readonly right?: number; readonly down?: number}, edge: string) =>
	zoomTo((picture, room, zoom) => pannedBy(picture, room, zoom, direction), `The ${edge} edge is in view`);

export const pictureKeys: KeyScopes = {
	picture: {
		where: 'picture',
		isDialog: true,
		actions: {
			enlarge: onPicture({
				keys: ['+', '='],
				label: 'enlarge',
				hint: true,
				now: whileSmaller,
				run: zoomTo(
					(picture, room, zoom) => zoomedBy(picture, room, zoom, 2),
					'This is the largest: each pixel is as wide as a cell',
				),
			}),
			reduce: onPicture({
				keys: ['-'],
				label: 'reduce',
				hint: true,
				now: ({zoom}) => (zoom.scale > 1 ? undefined : null),
				run: zoomTo(
					(picture, room, zoom) => zoomedBy(picture, room, zoom, 0.5),
					'The whole picture is in view',
				),
			}),
			whole: onPicture({
				keys: ['0'],
				label: 'whole picture',
				run: zoomTo(() => WHOLE_PICTURE, 'The whole picture is in view'),
			}),
			left: onPicture({keys: ['left', 'h'], label: 'to the left', run: panTo({right: -1}, 'left')}),
			right: onPicture({keys: ['right', 'l'], label: 'to the right', run: panTo({right: 1}, 'right')}),
			up: onPicture({keys: ['up', 'k'], label: 'up', run: panTo({down: -1}, 'upper')}),
			down: onPicture({keys: ['down', 'j'], label: 'down', run: panTo({down: 1}, 'lower')}),
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
