import {backspace, createEditor, insert, setText, type Editor} from '../../text/editor/editor.ts';
import {isComplete, nextIndent} from '../../text/python/python-input.ts';
import {editingKeys, historyKeys} from '../core/components/editor-keys.ts';
import type {Rect, State} from '../core/program.ts';
import type {KeyContext, KeyHandlers, ScopeHandlers, ScreenSpec} from '../core/feature.ts';
import {inputKeys} from './input-field.ts';
import {cellKeys, findKeys} from './cell-keys.ts';
import {complete, tabIn} from '../cells/help/completion.ts';
import {questionIn} from '../cells/help/help.ts';
import {replField} from './field.ts';
import {placeOf} from './layout.ts';
import {hasRaised} from '../cells/cell.ts';
import {replLink, replOf, type Repl} from './transcript.ts';
import {outputOfCell} from '../cells/cell-text.ts';
import {scrollCells, selectedIn} from './cell-position.ts';
import {replSession} from './session.ts';
import {codeHelp} from '../cells/help/ask.ts';
import {route} from '../core/store/route.ts';
import {externalEditor} from '../files/saving/external-editor.ts';

/** Columns of one indentation step. */
const STEP = 4;

const placeAt = ({get, rect}: KeyContext) => placeOf(get, get().current ?? '', rect);

const repl: KeyHandlers<'repl'> = at => {
	const {get} = at;
	const server = get().current ?? '';
	const current = () => replOf(get(), server);
	const change = (next: Partial<Repl>): void => replSession(get).changeRepl(server, next);
	const isLive = (): boolean => ['live', 'asking'].includes(replLink(get(), server)?.kind ?? '');
	const field = replField(server);
	const access = {draft: () => current().draft, set: (draft: Editor) => change({draft})};
	const newline = (): void => {
		const {draft} = current();
		change({draft: insert(draft, `\n${nextIndent(draft.text, draft.cursor)}`)});
	};
	return {
		...editingKeys(access),
		...historyKeys(access, {
			entries: () => current().history,
			at: () => current().historyAt,
			stash: () => current().stash,
			set: change,
			byPrefix: true,
		}),
		newline,
		backspace() {
			// Removes one indentation step if the cursor is within the indentation of a line.
			const {draft} = current();
			const before = /(?:^|\n)( +)$/.exec(draft.text.slice(0, draft.cursor))?.[1] ?? '';
			const steps = before.length === 0 ? 1 : ((before.length - 1) % STEP) + 1;
			let next = draft;
			for (let step = 0; step < steps; step++) next = backspace(next);
			change({draft: next});
		},
		scrollUp: () => scrollCells(placeAt(at)).pageUp(),
		scrollDown: () => scrollCells(placeAt(at)).pageDown(),
		run() {
			const {draft} = current();
			if (draft.text.trim() === '') {
				if (draft.text !== '') change({draft: createEditor()});
				return;
			}
			// Adds a line in the middle of the text. At its end Enter runs complete code.
			if (draft.text.slice(draft.cursor).trim() === '' && isComplete(draft.text))
				replSession(get).runCell(server, draft.text.trimEnd());
			else newline();
		},
		complete() {
			const {draft} = current();
			const before = draft.text.slice(0, draft.cursor);
			const what = tabIn(before, isLive());
			if (what === 'complete') return isLive() ? codeHelp(get).completeCode(field) : complete(get, field);
			if (what === 'next pane') return at.act('anywhere', 'nextPane');
			if (what !== 'indent') return what.says;
			const column = before.length - before.lastIndexOf('\n') - 1;
			change({draft: insert(draft, ' '.repeat(STEP - (column % STEP)))});
		},
		inspect() {
			const {text, cursor} = current().draft;
			if (text.slice(0, cursor).trim() === '' || !isLive()) return at.act('anywhere', 'previousPane');
			codeHelp(get).inspectCode(field, {code: text, cursor, detail: 0, isAsked: true});
		},
		search: () =>
			current().history.length === 0
				? 'Nothing has been run on this server yet'
				: route(get).openDialog({kind: 'history', server}),
		editor() {
			void externalEditor(get)
				.editText(server, 'code', current().draft.text)
				.then(text => {
					if (text !== null) change({draft: setText(current().draft, text)});
				});
		},
		read: () => route(get).focusPart('repl', 'cells'),
		leave: () => (replSession(get).stopCell(server) ? undefined : route(get).focusPart('repl', 'cells')),
		typed(typed) {
			change({draft: insert(current().draft, typed)});
			if (!typed.endsWith('?') || !isLive()) return;
			const {text, cursor} = current().draft;
			const question = cursor === text.length ? questionIn(text) : null;
			if (question === null) return;
			const {text: code, detail} = question;
			codeHelp(get).inspectCode(field, {code, cursor: code.length, detail, isAsked: false});
		},
	};
};

const cells: KeyHandlers<'cells'> = at => cellKeys(placeAt(at));
const cellFind: KeyHandlers<'cellFind'> = at => findKeys(placeAt(at));

const answer: KeyHandlers<'answer'> = at => inputKeys(placeAt(at));

/**
 * Largest output that is laid out to find out whether it is folded, in UTF-16 units; larger outputs
 * are.
 */
const MOST_LAID = 20_000;

const canFold = (state: State, server: string, rect: Rect): boolean => {
	const {unfolded, ...of} = replOf(state, server);
	const cell = of.cells[selectedIn(of)];
	if (cell === undefined) return false;
	if (unfolded.has(cell.id) || outputOfCell(cell).length > MOST_LAID) return true;
	const {linesOf} = placeOf(() => state, server, rect);
	return linesOf(cell, true).length !== linesOf(cell).length;
};

const NEED_A_CELL: ReadonlySet<string> = new Set(['find', 'copySource']);

/** Label of a key: its effect on the typed text or the selected cell. */
export const replLabel: NonNullable<ScreenSpec['labelNow']> = (state, {scope, action, server, rect}) => {
	const of = replOf(state, server);
	if (scope === 'repl') {
		if (action === 'run') return of.draft.text.trim() === '' ? null : undefined;
		return action === 'search' && of.history.length === 0 ? null : undefined;
	}
	if (scope !== 'cells') return undefined;
	const cell = of.cells[selectedIn(of)];
	if (action === 'fold')
		return canFold(state, server, rect) ? (of.unfolded.has(cell?.id ?? -1) ? 'fold' : 'unfold') : null;
	if (action === 'explain') return cell !== undefined && hasRaised(cell) ? undefined : null;
	return NEED_A_CELL.has(action) && cell === undefined ? null : undefined;
};

export const replHandlers: ScopeHandlers = {repl, cells, cellFind, answer};
