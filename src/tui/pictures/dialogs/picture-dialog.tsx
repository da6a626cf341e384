import {Box} from 'ink';
import {pictureRows} from '../../../text/output/picture.ts';
import {partInView} from '../../../text/output/picture-zoom.ts';
import {label} from '../../../text/safe.ts';
import {fit} from '../../../text/width/width.ts';
import {titleRule} from '../../core/components/pane-title.ts';
import {Rows} from '../../core/components/rows.tsx';
import type {Rect} from '../../core/program.ts';
import {useApp} from '../../core/store-context.ts';
import {paint} from '../../core/theme/theme.ts';
import {pictureRoom} from '../keys.ts';
import {useOverlay} from '../use-overlay.ts';
import {usePlaced} from '../use-placed.ts';

/**
 * Picture over the whole screen body. Drawn in pixels if the terminal supports that, otherwise in
 * cells.
 */
export const PictureDialog = ({body}: {readonly body: Rect}) => {
	const view = useApp(state => state.pictureView);
	const look = useApp(state => state.pictureLook);
	const style = useApp(state => state.pictureStyle);
	const room = pictureRoom(body);
	const problem = useOverlay(view, look, room);
	const inText = usePlaced(view, look, room);
	const whyBlocks = look.how === 'blocks' ? look.why : inText.problem;
	if (view === null) return null;
	const {name, picture, zoom} = view;
	const why = picture !== null && 'problem' in picture ? picture.problem : problem;
	const said =
		why !== null
			? `not drawn: ${label(why, 200)}`
			: picture === null || 'problem' in picture
				? 'loading picture …'
				: `${picture.size}${zoom.scale === 1 ? '' : `, ${Math.round(zoom.scale * 10) / 10}×`}${whyBlocks === null ? '' : `, in block characters: ${label(whyBlocks, 200)}`}`;
	const rows =
		inText.rows ??
		(picture !== null && 'bitmap' in picture && (look.how === 'blocks' || look.isInText)
			? pictureRows(partInView(picture.bitmap, room, zoom), room.width, room.height, style)
			: []);
	const lines = [
		titleRule({
			left: ` ${paint('heading', label(name, 60))} ${paint('dim', `· ${said}`)} `,
			focused: true,
			width: body.width,
		}),
		...Array.from({length: room.height}, (_, at) => ` ${rows[at] ?? ''}`),
	];
	return (
		<Box position="absolute" top={body.y} left={body.x} width={body.width} height={body.height}>
			{/* Rows are as wide as the dialog, so that the screen below does not show through
			    in the last column. */}
			<Rows height={body.height} lines={lines.map(line => fit(line, body.width))} />
		</Box>
	);
};
