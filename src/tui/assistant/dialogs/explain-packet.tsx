import {explainingQuestion, packedError} from '../explain.ts';
import type {ErrorPacket} from '../../repl/error-packet.ts';
import {messageText} from '../attachments.ts';
import {block} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {bytesText} from '../../core/components/age.ts';
import {keyHints} from '../../core/components/key-hint.ts';
import {clamp, scrolling} from '../../core/components/scroll.ts';
import type {Rect} from '../../core/program.ts';
import type {At, KeyHandlers} from '../../core/room.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {topDialog} from '../../core/store/route.ts';
import {paint} from '../../core/theme/theme.ts';
import {DialogBox} from '../../core/dialogs/dialog-box.tsx';

const WIDTH = 110;

const textOf = (packet: ErrorPacket): string => messageText(explainingQuestion(packet), packedError(packet));
const rowsOf = lastResult((packet: ErrorPacket, width: number): readonly string[] =>
	wrap(block(textOf(packet)), width),
);

/** What is sent in rows, how many of them are in view, and the greatest first one. */
const layOut = (packet: ErrorPacket, body: Rect) => {
	const rows = rowsOf(packet, Math.min(WIDTH, body.width - 4) - 4);
	const height = Math.max(1, Math.min(rows.length, body.height - 6));
	return {rows, height, last: Math.max(0, rows.length - height)};
};

const scroll =
	({get, rect}: At, key: keyof ReturnType<typeof scrolling>) =>
	(): void => {
		const dialog = topDialog(get(), 'explain');
		if (dialog === undefined) return;
		const {height, last} = layOut(dialog.packet, rect);
		scrolling(
			() => dialog.top ?? 0,
			last,
			height - 1,
			top => get().changeDialog({...dialog, top: top ?? last}),
		)[key]();
	};

export const packet: KeyHandlers<'packet'> = at => ({
	up: scroll(at, 'up'),
	down: scroll(at, 'down'),
	pageUp: scroll(at, 'pageUp'),
	pageDown: scroll(at, 'pageDown'),
	first: scroll(at, 'first'),
	last: scroll(at, 'last'),
	send() {
		const {get} = at;
		const dialog = topDialog(get(), 'explain');
		if (dialog === undefined) return;
		get().closeDialog();
		const reason = get().sendExplanation(dialog.server, dialog.packet);
		if (reason !== undefined) return reason;
		get().go('assistant');
	},
	close: () => at.get().closeDialog(),
});

type Props = {readonly packet: ErrorPacket; readonly top?: number; readonly body: Rect};

/** Shows to the last byte what is sent to have an error explained, before it is. */
export const ExplainPacket = ({packet, top = 0, body}: Props) => {
	const text = textOf(packet);
	const {rows, height, last} = layOut(packet, body);
	const from = clamp(top, 0, last);
	const more = last > from ? paint('busy', `↓ ${last - from} more lines`) : '';
	return (
		<DialogBox
			title={`Send this to the assistant? ${bytesText(Buffer.byteLength(text))}`}
			body={body}
			width={WIDTH}
			lines={[
				...rows.slice(from, from + height),
				more,
				keyHints(['packet.send', 'send'], ['packet.close', 'do not']),
			]}
		/>
	);
};
