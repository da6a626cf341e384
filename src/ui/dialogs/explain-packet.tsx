import {useRef, useState} from 'react';
import {explainingQuestion, packedError} from '../../store/assistant-explain.ts';
import type {ErrorPacket} from '../../store/error-packet.ts';
import {messageText} from '../../store/assistant-attachments.ts';
import {block} from '../../text/safe.ts';
import {wrap} from '../../text/wrap.ts';
import {bytesText} from '../components/age.ts';
import {clamp, scrolling} from '../components/scroll.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useGetState} from '../store-context.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';

const WIDTH = 110;

/** Shows to the last byte what is sent to have an error explained, before it is. */
export const ExplainPacket = ({server, packet, body}: {readonly server: string; readonly packet: ErrorPacket; readonly body: Rect}) => {
	const get = useGetState();
	const at = useRef(0);
	const [top, draw] = useState(0);
	const text = messageText(explainingQuestion(packet), packedError(packet));
	const width = Math.min(WIDTH, body.width - 4) - 4;
	const rows = wrap(block(text), width);
	const height = Math.max(1, Math.min(rows.length, body.height - 6));
	const last = Math.max(0, rows.length - height);
	const scroll = scrolling(() => at.current, last, height - 1, to => {
		at.current = to ?? last;
		draw(at.current);
	});
	useKeys('packet', {
		...scroll,
		send() {
			get().closeDialog();
			const reason = get().sendExplanation(server, packet);
			if (reason !== undefined) return reason;
			get().go('assistant');
		},
		close: () => get().closeDialog(),
	});
	const from = clamp(top, 0, last);
	const more = last > from ? paint('busy', `↓ ${last - from} more lines`) : '';
	return (
		<DialogBox title={`Send this to the assistant? ${bytesText(Buffer.byteLength(text))}`} body={body} width={WIDTH} lines={[
			...rows.slice(from, from + height), more, `${paint('accent', 'y')} send   ${paint('accent', 'esc')} do not`,
		]}/>
	);
};
