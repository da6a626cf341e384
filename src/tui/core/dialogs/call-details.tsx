import {explainFailure, type Failure} from '../store/remote.ts';
import {block, label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import type {Rect} from '../program.ts';
import type {KeyScope} from '../keys/action.ts';
import {route, topDialog} from '../store/route.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox, lineWidth, widthFor} from './dialog-box.tsx';
import {BESIDE_MARK, readerActions, scrolled} from './scrolled.ts';
import {requestLog} from '../store/requests.ts';
import {notices} from '../store/notices.ts';

const TITLE = 'Request and response';
const WIDTH = 110;

/**
 * The failure, its request and response, and the same request for a shell, as rows of at most
 * `width` cells.
 */
export const callDetailsLines = (failure: Failure, width: number): readonly string[] => {
	const {what, next} = explainFailure(failure);
	const {method, path, status, body, curl} = failure;
	const rows = (text: string, role?: 'bad' | 'dim'): readonly string[] =>
		wrap(text, width).map(row => (role ? paint(role, row) : row));
	const answer =
		status === undefined
			? 'There was no response.'
			: body === undefined || body === ''
				? 'The response has no body.'
				: undefined;
	return [
		...rows(label(what, 1000), 'bad'),
		...rows(label(next, 400)),
		'',
		...rows(`${method} ${label(path, 1000)}${status === undefined ? '' : `   ${status}`}`),
		'',
		...(answer === undefined
			? [...rows('The response, at most the first 2 KB, tokens masked:', 'dim'), ...rows(block(body ?? ''))]
			: rows(answer, 'dim')),
		...(curl === undefined
			? []
			: ['', ...rows('The same request for a shell:', 'dim'), ...rows(label(curl, 4000))]),
	];
};

const roomIn = (body: Rect) => ({width: lineWidth(body, WIDTH), height: body.height - 2});

export const callDetailsKeys: KeyScope = {
	where: 'a failed request',
	isDialog: true,
	actions: {
		...readerActions('evidence', ({failure}, {rect}) => {
			const {width, height} = roomIn(rect);
			return {count: callDetailsLines(failure, width - BESIDE_MARK).length, room: height};
		}),
		copy: {
			keys: ['c', 'y'],
			label: 'copy as curl',
			hint: true,
			run({get}) {
				const failure = topDialog(get(), 'evidence')?.failure;
				if (failure === undefined) return;
				void requestLog(get)
					.copyFailure(failure)
					.then(words => typeof words === 'string' && notices(get).notify('info', words));
			},
		},
		close: {keys: ['esc', 'q'], label: 'close', run: ({get}) => route(get).closeDialog()},
	},
};

type Props = {readonly failure: Failure; readonly top?: number; readonly body: Rect};

/** Request and response of a failure. */
export const CallDetails = ({failure, top = 0, body}: Props) => {
	const room = roomIn(body);
	const rows = callDetailsLines(failure, room.width - BESIDE_MARK);
	const {rowsOf, position} = scrolled(top, rows.length, room.height);
	const width = widthFor(TITLE, rows, WIDTH, BESIDE_MARK);
	return (
		<DialogBox
			title={TITLE}
			body={body}
			width={width}
			position={position}
			lines={rowsOf(rows, lineWidth(body, width))}
		/>
	);
};
