import type {Packed} from '../attachments.ts';
import {messageText} from '../attachments.ts';
import {conversationOf, TASK_PREFIX} from '../conversation.ts';
import {createEditor} from '../../../text/editor/editor.ts';
import {block, label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {bytesText} from '../../../text/size.ts';
import {keyRows} from '../../core/components/key-hint.ts';
import type {Rect, DialogProps} from '../../core/program.ts';
import type {KeyContext} from '../../core/feature.ts';
import type {KeyScope} from '../../core/keys/action.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {DialogBox, lineWidth, widthFor} from '../../core/dialogs/dialog-box.tsx';
import {BESIDE_MARK, readerActions, scrolled} from '../../core/dialogs/scrolled.ts';
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

const rule =
	(ruling: 'agreed' | 'refused') =>
	({get}: KeyContext): string | void => {
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

export const contextKeys: KeyScope = {
	where: "a server's own context",
	isDialog: true,
	actions: {
		...readerActions('context', ({packed}, {rect}) => ({
			count: rowsIn(packed, rect).length,
			room: roomIn(rect),
		})),
		carry: {keys: ['y'], label: 'send it too', hint: true, run: rule('agreed')},
		without: {keys: ['n'], label: 'send without it', hint: true, run: rule('refused')},
		close: {keys: ['esc'], label: 'send nothing yet', run: ({get}) => route(get).closeDialog()},
	},
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
