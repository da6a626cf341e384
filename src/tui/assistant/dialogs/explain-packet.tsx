import {explainingQuestion, packedError} from '../explain.ts';
import type {ErrorPacket} from '../../cells/error-packet.ts';
import {messageText} from '../attachments.ts';
import {block} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {bytesText} from '../../../text/size.ts';
import {keyHints} from '../../core/components/key-hint.ts';
import type {Rect, DialogProps} from '../../core/program.ts';
import type {KeyScope} from '../../core/keys/action.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {DialogBox, lineWidth, widthFor} from '../../core/dialogs/dialog-box.tsx';
import {BESIDE_MARK, readerActions, scrolled} from '../../core/dialogs/scrolled.ts';
import {attaching} from '../attached.ts';

const WIDTH = 110;

const textOf = (packet: ErrorPacket): string => messageText(explainingQuestion(packet), packedError(packet));
const rowsOf = lastResult((packet: ErrorPacket, width: number): readonly string[] =>
	wrap(block(textOf(packet)), width),
);

const rowsIn = (packet: ErrorPacket, body: Rect): readonly string[] =>
	rowsOf(packet, lineWidth(body, WIDTH) - BESIDE_MARK);
const roomIn = ({height}: Rect): number => height - 6;

export const packetKeys: KeyScope = {
	where: 'a request to explain an error',
	isDialog: true,
	actions: {
		...readerActions('explain', ({packet}, {rect}) => ({
			count: rowsIn(packet, rect).length,
			room: roomIn(rect),
		})),
		send: {
			keys: ['y'],
			label: 'yes',
			hint: true,
			run({get}) {
				const dialog = topDialog(get(), 'explain');
				if (dialog === undefined) return;
				route(get).closeDialog();
				const reason = attaching(get).sendExplanation(dialog.server, dialog.packet);
				if (reason !== undefined) return reason;
				route(get).focusForNow('assistant', 'assistant');
			},
		},
		close: {keys: ['esc', 'n'], label: 'no', run: ({get}) => route(get).closeDialog()},
	},
};

/** Shows every byte of a request to explain an error before it is sent. */
export const ExplainPacket = ({packet, top = 0, body}: DialogProps<'explain'>) => {
	const text = textOf(packet);
	const rows = rowsIn(packet, body);
	const {rowsOf, more, position} = scrolled(top, rows.length, roomIn(body));
	const title = `Send this to the assistant? ${bytesText(Buffer.byteLength(text))}`;
	const width = widthFor(title, rows, WIDTH, BESIDE_MARK);
	return (
		<DialogBox
			title={title}
			body={body}
			width={width}
			position={position}
			lines={[
				...rowsOf(rows, lineWidth(body, width)),
				more,
				keyHints(['packet.send', 'send'], ['packet.close', 'do not send']),
			]}
		/>
	);
};
