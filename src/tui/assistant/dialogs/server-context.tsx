import type {Packed} from '../attachments.ts';
import {messageText} from '../attachments.ts';
import {conversationOf, TASK_PREFIX} from '../conversation.ts';
import {createEditor} from '../../../text/editor/editor.ts';
import {block, label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {bytesText} from '../../core/components/age.ts';
import {keyRows} from '../../core/components/key-hint.ts';
import type {Rect, DialogProps} from '../../core/program.ts';
import type {KeyHandlers} from '../../core/feature.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {DialogBox, lineWidth, widthFor} from '../../core/dialogs/dialog-box.tsx';
import {BESIDE_MARK, readerKeys, scrolled} from '../../core/dialogs/scrolled.ts';
import {questionContext} from '../context.ts';
import {attaching} from '../attached.ts';
import {chat} from '../conversations.ts';
import {tasks} from '../tasks.ts';

const WIDTH = 110;

const textOf = (packed: Packed): string => messageText('', [packed]).trimStart();
const rowsOf = lastResult((packed: Packed, width: number): readonly string[] =>
	wrap(block(textOf(packed)), width),
);
const rowsIn = (packed: Packed, body: Rect): readonly string[] =>
	rowsOf(packed, lineWidth(body, WIDTH) - BESIDE_MARK);
const roomIn = ({height}: Rect): number => height - 7;

export const context: KeyHandlers<'context'> = ({get, rect}) => {
	const rule = (ruling: 'agreed' | 'refused') => (): string | void => {
		const dialog = topDialog(get(), 'context');
		if (dialog === undefined) return;
		const {server, packed, models, goal} = dialog;
		route(get).closeDialog();
		questionContext(get).ruleContext(server, packed, ruling);
		if (goal === undefined) return attaching(get).sendQuestion(server, models);
		if (conversationOf(get(), server).draft.text === `${TASK_PREFIX}${goal}`)
			chat(get).changeConversation(server, {draft: createEditor()});
		return tasks(get).beginWork(server, goal);
	};
	return {
		...readerKeys(get, 'context', dialog => ({
			count: rowsIn(dialog.packed, rect).length,
			room: roomIn(rect),
		})),
		carry: rule('agreed'),
		without: rule('refused'),
	};
};

/** Shows every byte of the server's `AGENTS.md` before it is sent with a question or a task. */
export const ServerContext = ({packed, change, top = 0, body}: DialogProps<'context'>) => {
	const text = textOf(packed);
	const rows = rowsIn(packed, body);
	const {rowsOf, more, position} = scrolled(top, rows.length, roomIn(body));
	const title = `Send ${label(packed.mention, 40)} too? ${change === 'changed' ? 'It has changed. ' : ''}${bytesText(Buffer.byteLength(text))}`;
	const keys = keyRows(
		lineWidth(body, WIDTH),
		['context.carry', 'send it too'],
		['context.without', 'send without it'],
		['context.close', 'send nothing yet'],
	);
	const width = widthFor(title, [...rows, ...keys], WIDTH, BESIDE_MARK);
	return (
		<DialogBox
			title={title}
			body={body}
			width={width}
			position={position}
			lines={[...rowsOf(rows, lineWidth(body, width)), more, ...keys]}
		/>
	);
};
