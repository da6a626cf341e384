import {EMPTY_REPL, runningCell} from '../../../store/cells.ts';
import {createEditor, insert} from '../../../text/editor.ts';
import {isComplete, nextIndent} from '../../../text/python-input.ts';
import {editingKeys, historyKeys} from '../../components/editor-keys.ts';
import {editorLines} from '../../components/editor-lines.ts';
import {scrolling} from '../../components/scroll.ts';
import {transcriptHeight} from '../../components/transcript-pane.tsx';
import {windowOf} from '../../components/transcript.ts';
import {CursorAt} from '../../frame/cursor.tsx';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {useApp, useGetState} from '../../store-context.ts';
import {useNow} from '../../use-now.ts';
import {cellLines} from './cell-lines.ts';
import {ReplView} from './repl-view.tsx';

const PROMPT = ' >>> ';
const MORE = ' ... ';

export const ReplScreen = ({server, rect, hasKeys}: {readonly server: string; readonly rect: Rect; readonly hasKeys: boolean}) => {
	const get = useGetState();
	const repl = useApp(state => state.repls.get(server)) ?? EMPTY_REPL;
	const part = useApp(state => state.paneFocus.repl);
	const covered = useApp(state => state.dialogs.length > 0);
	const running = runningCell(repl);
	const now = useNow(running ? 1000 : 60_000);
	const typing = hasKeys && part === 'repl';
	const editor = editorLines(repl.draft, {width: rect.width, height: Math.max(1, Math.floor(rect.height * 0.4)), prompt: PROMPT, more: MORE, active: typing});
	const room = transcriptHeight(rect.height, editor.lines.length);
	const {last} = windowOf(repl.cells.map(cell => cellLines(cell, rect.width)), null, room);
	const change = (next: Parameters<ReturnType<typeof get>['changeRepl']>[1]): void => get().changeRepl(server, next);
	const current = () => get().repls.get(server) ?? EMPTY_REPL;

	const scroll = scrolling(() => current().top, last, room - 1, top => change({top}));
	const access = {draft: () => current().draft, set: (draft: typeof repl.draft) => change({draft})};
	const newline = (): void => {
		const {draft} = current();
		change({draft: insert(draft, `\n${nextIndent(draft.text, draft.cursor)}`)});
	};
	useKeys('repl', {
		...editingKeys(access),
		...historyKeys(access, {entries: () => current().history, at: () => current().historyAt, stash: () => current().stash, set: change}),
		newline,
		scrollUp: scroll.pageUp,
		scrollDown: scroll.pageDown,
		run() {
			const {draft} = current();
			if (draft.text.trim() === '') {
				if (draft.text !== '') change({draft: createEditor()});
				return;
			}
			// Enter in the middle of the text goes on writing; at its end it runs what is complete.
			if (draft.text.slice(draft.cursor).trim() === '' && isComplete(draft.text)) get().runCell(server, draft.text.trimEnd());
			else newline();
		},
		leave: () => (get().stopCell(server) ? undefined : get().focusPart('repl', 'cells')),
	}, text => change({draft: insert(current().draft, text)}));
	useKeys('cells', {
		...scroll,
		edit: () => get().focusPart('repl', 'repl'),
	});
	const elapsed = running?.startedAt === undefined || running.startedAt === null ? null : Math.max(0, now - running.startedAt);
	return (
		<>
			{typing && !covered && <CursorAt x={rect.x + editor.cursor.x} y={rect.y + 2 + room + editor.cursor.y}/>}
			<ReplView {...{server, editor, elapsed}} cells={repl.cells} top={repl.top} focused={hasKeys} width={rect.width} height={rect.height}/>
		</>
	);
};
