import {findServer} from '../servers.ts';
import {label} from '../../../text/safe.ts';
import type {Rect, State, DialogProps} from '../../core/program.ts';
import {DETAIL_FIELDS, detailLines} from '../detail.ts';
import {useFields} from '../../core/store-context.ts';
import {useNow} from '../../core/use-now.ts';
import {DialogBox, lineWidth, widthFor} from '../../core/dialogs/dialog-box.tsx';
import {BESIDE_MARK, readerKeys, scrolled} from '../../core/dialogs/scrolled.ts';

const WIDTH = 130;

type Known = Pick<State, 'servers' | (typeof DETAIL_FIELDS)[number]>;

const linesOf = (known: Known, name: string, now: number, body: Rect): readonly string[] => {
	const server = findServer(known, name);
	return server === undefined
		? ['This server is no longer in the list.']
		: detailLines(server, known, now, lineWidth(body, WIDTH) - BESIDE_MARK);
};

export const serverReader = readerKeys('server', ({server}, {get, rect}) => ({
	count: linesOf(get(), server, Date.now(), rect).length,
	room: rect.height - 2,
}));

/** All fields of a server, if there is no room for them beside the list. */
export const ServerDialog = ({server, top = 0, body}: DialogProps<'server'>) => {
	const known = useFields('servers', ...DETAIL_FIELDS);
	const lines = linesOf(known, server, useNow(), body);
	const {rowsOf, position} = scrolled(top, lines.length, body.height - 2);
	const width = widthFor(label(server, 60), lines, WIDTH, BESIDE_MARK);
	return (
		<DialogBox
			title={label(server, 60)}
			body={body}
			width={width}
			lines={rowsOf(lines, lineWidth(body, width))}
			position={position}
		/>
	);
};
