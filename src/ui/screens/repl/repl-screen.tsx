import {EMPTY_REPL, runningCell, type Cell, type Repl} from '../../../store/cells.ts';
import {backspace, createEditor, insert, setText} from '../../../text/editor.ts';
import {isComplete, nextIndent} from '../../../text/python-input.ts';
import {pythonLines} from '../../components/code-line.ts';
import {editingKeys, historyKeys} from '../../components/editor-keys.ts';
import {editorLines} from '../../components/editor-lines.ts';
import {lineField} from '../../components/line-field.ts';
import {transcriptHeight} from '../../components/transcript-pane.tsx';
import {CursorAt} from '../../frame/cursor.tsx';
import type {Rect} from '../../frame/layout.ts';
import {useAct, useKeys} from '../../keys/keys.tsx';
import {useApp, useGetState} from '../../store-context.ts';
import {useNow} from '../../use-now.ts';
import {cellKeys, findKeys, foundRow, scrollCells, selectedIn, topOf, type CellPlace} from './cell-keys.ts';
import {blocksOf, cellLines} from './cell-lines.ts';
import {complete} from './completion.ts';
import {ReplView} from './repl-view.tsx';

const PROMPT = ' >>> ';
const MORE = ' ... ';
/** Cells of the field that is looked for. */
const FIELD = 30;
/** UTF-16 units of code that is coloured at each key. */
const MOST_COLOURED = 20_000;

export const ReplScreen = ({server, rect, hasKeys}: {readonly server: string; readonly rect: Rect; readonly hasKeys: boolean}) => {
	const get = useGetState();
	const act = useAct();
	const repl = useApp(state => state.repls.get(server)) ?? EMPTY_REPL;
	const part = useApp(state => state.paneFocus.repl);
	const depth = useApp(state => state.colourDepth);
	const covered = useApp(state => state.dialogs.length > 0);
	const running = runningCell(repl);
	const now = useNow(running ? 1000 : 60_000);
	const typing = hasKeys && part === 'repl';
	const editor = editorLines(repl.draft, {
		width: rect.width, height: Math.max(1, Math.floor(rect.height * 0.4)), prompt: PROMPT, more: MORE, active: typing,
		...(repl.draft.text.length < MOST_COLOURED && {dress: code => pythonLines(code, typing ? repl.draft.cursor : undefined)}),
	});
	const room = transcriptHeight(rect.height, editor.lines.length);
	// A picture fits into the pane, with the code above it.
	const look = {width: rect.width, depth, pictureRows: Math.max(4, Math.min(24, rect.height - 7))};
	const place: CellPlace = {
		get, server, room, width: rect.width,
		linesOf: (cell: Cell, open = false) => cellLines(cell, {...look, open}),
		blocksOf: (of: Repl) => blocksOf(of, look),
	};
	const blocks = place.blocksOf(repl);
	const change = (next: Parameters<ReturnType<typeof get>['changeRepl']>[1]): void => get().changeRepl(server, next);
	const current = () => get().repls.get(server) ?? EMPTY_REPL;

	const access = {draft: () => current().draft, set: (draft: typeof repl.draft) => change({draft})};
	const newline = (): void => {
		const {draft} = current();
		change({draft: insert(draft, `\n${nextIndent(draft.text, draft.cursor)}`)});
	};
	const editing = editingKeys(access);
	useKeys('repl', {
		...editing,
		...historyKeys(access, {entries: () => current().history, at: () => current().historyAt, stash: () => current().stash, set: change, byPrefix: true}),
		newline,
		backspace() {
			// In the indentation of a line one press goes back one step of it.
			const {draft} = current();
			const before = /(?:^|\n)( +)$/.exec(draft.text.slice(0, draft.cursor))?.[1] ?? '';
			const steps = before.length === 0 ? 1 : ((before.length - 1) % 4) + 1;
			let next = draft;
			for (let step = 0; step < steps; step++) next = backspace(next);
			change({draft: next});
		},
		scrollUp: () => scrollCells(place).pageUp(),
		scrollDown: () => scrollCells(place).pageDown(),
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
		complete() {
			const done = complete(get, server);
			return done === false ? act('anywhere', 'nextPane') : typeof done === 'string' ? done : undefined;
		},
		search: () => (current().history.length === 0 ? 'Nothing was run on this server yet' : get().openDialog({kind: 'history', server})),
		editor() {
			void get().editText(server, 'code', current().draft.text).then(text => {
				if (text !== null) change({draft: setText(current().draft, text)});
			});
		},
		read: () => get().focusPart('repl', 'cells'),
		leave: () => (get().stopCell(server) ? undefined : get().focusPart('repl', 'cells')),
	}, text => change({draft: insert(current().draft, text)}));
	useKeys('cells', cellKeys(place));
	const {keys, onText} = findKeys(place);
	useKeys('cellFind', keys, onText);

	const finding = hasKeys && part === 'cellFind';
	const field = lineField(repl.find.field, FIELD);
	const elapsed = running?.startedAt === undefined || running.startedAt === null ? null : Math.max(0, now - running.startedAt);
	const reading = hasKeys && part !== 'repl';
	return (
		<>
			{typing && !covered && <CursorAt x={rect.x + editor.cursor.x} y={rect.y + 2 + room + editor.cursor.y}/>}
			{finding && !covered && <CursorAt x={rect.x + 5 + field.x} y={rect.y + 1 + room}/>}
			<ReplView {...{server, editor, elapsed, blocks, reading}} repl={repl} top={topOf(repl, blocks)} found={reading ? foundRow(repl, place) : null} marked={reading ? selectedIn(repl) : undefined} field={finding ? field.text : null}
				focused={hasKeys} width={rect.width} height={rect.height}/>
		</>
	);
};
