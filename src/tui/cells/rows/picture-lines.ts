// The picture of an output as rows.
import {pictureRows, type PictureStyle} from '../../../text/output/picture.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {paint} from '../../core/theme/theme.ts';
import {rowsInText, type InText} from '../../pictures/in-text.ts';
import type {Picture} from '../../pictures/read-picture.ts';

export const PICTURE_ROWS = 60;

type PictureView = {
	readonly width: number;
	readonly open: boolean;
	readonly pictureStyle: PictureStyle;
	readonly pictureRows: number;
	readonly inText?: InText | null;
};

export const pictureLines = (
	picture: Picture | undefined,
	{width, open, pictureStyle, pictureRows: folded, inText}: PictureView,
): readonly string[] => {
	if (picture === undefined) return [paint('dim', ' the picture is being read …')];
	if ('problem' in picture)
		return wrap(
			`picture not drawn: ${label(picture.problem, 200)}${folded === 0 ? '' : `, ${keyFor('cells.savePicture')} saves it`}`,
			width - 2,
		).map(row => ` ${paint('busy', row)}`);
	const most = {width: width - 2, height: open ? PICTURE_ROWS : folded};
	const rows =
		rowsInText(inText, picture, most, {key: picture, largest: 1}) ??
		pictureRows(picture.bitmap, most.width, most.height, pictureStyle);
	return rows.map(row => ` ${row}`);
};
