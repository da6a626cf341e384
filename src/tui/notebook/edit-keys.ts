// Keys of the cell that the user edits in the notebook itself.
import {sessionOf} from '../../run/open-kernel.ts';
import {backspace, createEditor, down, insert, up, type Editor} from '../../text/editor/editor.ts';
import {withSource, withSplit} from '../../text/notebook/edit.ts';
import {nextIndent} from '../../text/python/python-input.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import type {KeyContext} from '../core/feature.ts';
import type {CodeField} from '../cells/help/code-field.ts';
import {questionIn} from '../cells/help/help.ts';
import {complete, tabIn} from '../cells/help/completion.ts';
import type {NotebookAccess} from './access.ts';
import {cellField} from './code-field.ts';
import {moveEffects} from './move-keys.ts';
import {linkFor} from '../live/link-state.ts';
import {cellAt, documentOf} from './open-notebook.ts';
import {oneRunEffects} from './run-keys.ts';
import {saveEffects} from './save-keys.ts';
import {codeHelp} from '../cells/help/ask.ts';

/** Number of columns of one indentation step. */
const STEP = 4;

export const editEffects = (access: NotebookAccess, act: KeyContext['act']) => {
	const {get, server, now, change, show, work, unlessRuns, commit} = access;
	const draft = (): Editor => now()?.editing ?? createEditor();
	const set = (editing: Editor): void => change({editing});
	const beforeCursor = (): string => draft().text.slice(0, draft().cursor);
	/** The code field of the edited cell; null for a text cell. */
	const fieldNow = (): CodeField | null => {
		const open = now();
		return open !== undefined && cellAt(open)?.kind === 'code' ? cellField(open, open.at) : null;
	};
	/** True if the notebook has a live link, and while the link is being looked up. */
	const isLive = (): boolean => {
		const open = now();
		const link = get().links.get(server);
		const found = open && linkFor(link, sessionOf(documentOf(open)));
		return (found ?? link)?.kind !== 'none';
	};
	const {pageUp, pageDown} = moveEffects(access);
	return {
		...editingKeys({draft, set}),
		...oneRunEffects(access),
		...saveEffects(access),
		leave() {
			commit();
			show();
		},
		split: unlessRuns(() => {
			// The cursor is a position in the editor's text, whose line ends are all line feeds, so
			// the cell gets that text before it is split.
			const {cursor, text} = draft();
			return work((notebook, {at: key}) => {
				const parts = withSplit(withSource(notebook, key, text), key, cursor);
				return parts && {notebook: parts.notebook, at: parts.key};
			});
		}),
		newline() {
			const {text, cursor} = draft();
			set(insert(draft(), `\n${fieldNow() === null ? '' : nextIndent(text, cursor)}`));
		},
		complete() {
			const before = beforeCursor();
			const field = fieldNow();
			const what = field === null ? 'indent' : tabIn(before, isLive());
			if (field !== null && what === 'complete')
				return isLive() ? codeHelp(get).completeCode(field) : complete(get, field);
			if (typeof what !== 'string') return what.says;
			const column = before.length - before.lastIndexOf('\n') - 1;
			set(insert(draft(), ' '.repeat(STEP - (column % STEP))));
		},
		inspect() {
			const field = fieldNow();
			if (field === null || beforeCursor().trim() === '' || !isLive()) return act('anywhere', 'previousPane');
			const {text: code, cursor} = draft();
			codeHelp(get).inspectCode(field, {code, cursor, detail: 0, isAsked: true});
		},
		backspace() {
			// Removes one indentation step if the cursor is within the indentation of a line.
			const {text, cursor} = draft();
			const before = /(?:^|\n)( +)$/.exec(text.slice(0, cursor))?.[1] ?? '';
			const steps = before.length === 0 ? 1 : ((before.length - 1) % STEP) + 1;
			let next = draft();
			for (let each = 0; each < steps; each++) next = backspace(next);
			set(next);
		},
		up: () => set(up(draft()).editor),
		down: () => set(down(draft()).editor),
		pageUp,
		pageDown,
		typed(text: string) {
			set(insert(draft(), text));
			const field = fieldNow();
			const question = text.endsWith('?') && isLive() ? questionIn(beforeCursor()) : null;
			if (field === null || question === null) return;
			const {text: code, detail} = question;
			codeHelp(get).inspectCode(field, {code, cursor: code.length, detail, isAsked: false});
		},
	};
};
