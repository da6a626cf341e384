import {backspace, createEditor, insert, setText, type Editor} from '../../text/editor/editor.ts';
import {isComplete, nextIndent} from '../../text/python/python-input.ts';
import {kernelVariables} from '../cells/data/variables.ts';
import {replOwner} from '../cells/kernels/owner.ts';
import {codeHelp} from '../cells/help/ask.ts';
import {complete, tabIn} from '../cells/help/completion.ts';
import {questionIn} from '../cells/help/help.ts';
import {editingKeys, historyKeys} from '../core/components/editor-keys.ts';
import type {KeyContext} from '../core/feature.ts';
import {actionOn, actionsOf, type KeyScopes} from '../core/keys/action.ts';
import {editing, type Tab} from '../core/keys/binding-sets.ts';
import {route} from '../core/store/route.ts';
import {externalEditor} from '../files/saving/external-editor.ts';
import {cellFindKeys, cellKeys} from './cell-keys.ts';
import {scrollCells} from './cell-position.ts';
import {replField} from './field.ts';
import {inputKeys} from './input-field.ts';
import {placeOf} from './layout.ts';
import {replSession} from './session.ts';
import {replLink, replOf, type Repl} from './transcript.ts';

export const replTab: Tab = {
	id: 'repl',
	title: 'REPL',
	jump: '5',
	pane: {name: 'REPL', sentence: 'The REPL', dock: 'ctrl+x r', part: 'repl'},
};

/** Number of columns of one indentation step. */
const STEP = 4;

/** The prompt of the current server's REPL, and functions that change it. */
const promptOf = ({get}: KeyContext) => {
	const server = get().current ?? '';
	const current = (): Repl => replOf(get(), server);
	const change = (next: Partial<Repl>): void => replSession(get).changeRepl(server, next);
	return {
		server,
		current,
		change,
		field: replField(server),
		isLive: (): boolean => ['live', 'asking'].includes(replLink(get(), server)?.kind ?? ''),
		newline(): void {
			const {draft} = current();
			change({draft: insert(draft, `\n${nextIndent(draft.text, draft.cursor)}`)});
		},
	};
};
const on = actionOn(promptOf);

const editingAt = (at: KeyContext) => {
	const {current, change, newline} = promptOf(at);
	const access = {draft: () => current().draft, set: (draft: Editor) => change({draft})};
	const scroll = () => scrollCells(placeOf(at.get, at.get().current ?? '', at.rect));
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
			// Backspace within a line's indentation removes one step.
			const {draft} = current();
			const before = /(?:^|\n)( +)$/.exec(draft.text.slice(0, draft.cursor))?.[1] ?? '';
			const steps = before.length === 0 ? 1 : ((before.length - 1) % STEP) + 1;
			let next = draft;
			for (let step = 0; step < steps; step++) next = backspace(next);
			change({draft: next});
		},
		scrollUp: () => scroll().pageUp(),
		scrollDown: () => scroll().pageDown(),
	};
};

export const replKeys: KeyScopes = {
	repl: {
		where: 'REPL, typing code',
		name: 'REPL',
		screen: 'repl',
		part: 'repl',
		isText: true,
		actions: {
			run: on({
				keys: ['enter'],
				label: 'run',
				hint: true,
				writes: true,
				now: ({current}) => (current().draft.text.trim() === '' ? null : undefined),
				run({server, current, change, newline}, {get}) {
					const {draft} = current();
					if (draft.text.trim() === '') {
						if (draft.text !== '') change({draft: createEditor()});
						return;
					}
					// Enter at the end of complete code runs it; elsewhere Enter adds a line.
					if (draft.text.slice(draft.cursor).trim() === '' && isComplete(draft.text))
						replSession(get).runCell(server, draft.text.trimEnd());
					else newline();
				},
			}),
			...actionsOf(editing, editingAt),
			complete: on({
				keys: ['tab'],
				label: 'Complete the name, indent; next pane from an empty field',
				run({current, change, field, isLive}, {get, act}) {
					const {draft} = current();
					const before = draft.text.slice(0, draft.cursor);
					const what = tabIn(before, isLive());
					if (what === 'complete') return isLive() ? codeHelp(get).completeCode(field) : complete(get, field);
					if (what === 'next pane') return act('anywhere', 'nextPane');
					if (what !== 'indent') return what.says;
					const column = before.length - before.lastIndexOf('\n') - 1;
					change({draft: insert(draft, ' '.repeat(STEP - (column % STEP)))});
				},
			}),
			inspect: on({
				keys: ['shift+tab'],
				label: 'Signature and documentation; previous pane from an empty field',
				run({current, field, isLive}, {get, act}) {
					const {text, cursor} = current().draft;
					if (text.slice(0, cursor).trim() === '' || !isLive()) return act('anywhere', 'previousPane');
					codeHelp(get).inspectCode(field, {code: text, cursor, detail: 0, isAsked: true});
				},
			}),
			search: on({
				keys: ['ctrl+r'],
				label: 'earlier code',
				also: 'history',
				hint: true,
				now: ({current}) => (current().history.length === 0 ? null : undefined),
				run: ({server, current}, {get}) =>
					current().history.length === 0
						? 'Nothing has been run on this server yet'
						: route(get).openDialog({kind: 'history', server}),
			}),
			editor: on({
				keys: ['ctrl+x e'],
				label: 'your editor',
				run({server, current, change}, {get}) {
					void externalEditor(get)
						.editText(server, 'code', current().draft.text)
						.then(text => {
							if (text !== null) change({draft: setText(current().draft, text)});
						});
				},
			}),
			read: {
				keys: ['ctrl+x ['],
				label: 'read the cells, even while one runs',
				run: ({get}) => route(get).focusPart('repl', 'cells'),
			},
			variables: on({
				keys: ['ctrl+x v'],
				label: 'Variables of the kernel',
				run: ({server}, {get}) => kernelVariables(get).showVariables(server, replOwner(get, server).document),
			}),
			leave: on({
				keys: ['esc'],
				label: 'read the cells',
				run: ({server}, {get}) =>
					replSession(get).stopCell(server) ? undefined : route(get).focusPart('repl', 'cells'),
			}),
		},
		typed(at, text) {
			const {current, change, field, isLive} = promptOf(at);
			change({draft: insert(current().draft, text)});
			if (!text.endsWith('?') || !isLive()) return;
			const {draft} = current();
			const question = draft.cursor === draft.text.length ? questionIn(draft.text) : null;
			if (question === null) return;
			const {text: code, detail} = question;
			codeHelp(at.get).inspectCode(field, {code, cursor: code.length, detail, isAsked: false});
		},
	},
	cells: cellKeys,
	answer: inputKeys,
	cellFind: cellFindKeys,
};
