// Over 250 lines: every key of a notebook, which share where it stands and how it is laid out.
import {backspace, createEditor, down, insert, up, type Editor} from '../../../text/editor/editor.ts';
import {nextIndent} from '../../../text/python/python-input.ts';
import type {CellKind} from '../../../text/notebook/notebook.ts';
import {
	attachmentsOf,
	indexOfKey,
	outputSize,
	takenBack,
	withKind,
	withMerged,
	withMoved,
	withNewCell,
	withoutCell,
	withoutOutputs,
	withSource,
	withSplit,
} from '../../../text/notebook/worked.ts';
import type {CodeField} from '../../repl/code-field.ts';
import {questionIn} from '../../repl/code-help.ts';
import {complete, tabIn} from '../../repl/completion.ts';
import {lastPictureIn, NO_PICTURE} from '../../repl/cell.ts';
import type {SentPicture} from '../../pictures/sent.ts';
import {inTextOf} from '../../pictures/in-text.ts';
import {movedSideways} from '../../repl/sideways.ts';
import {editingKeys} from '../../core/components/editor-keys.ts';
import {onOneLine} from '../../core/components/line-field.ts';
import {clamp} from '../../core/components/scroll.ts';
import {placeIn, startOf} from '../../core/components/transcript.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import type {At, ScopeHandlers} from '../../core/room.ts';
import {joined} from '../../../text/output/multiline.ts';
import {fieldsOf} from '../../../text/record.ts';
import {layoutOf} from '../layout.ts';
import {cellField} from './code-field.ts';
import {asTyped, cellAt, isPendingRun, notebookOn, type OpenNotebook} from './open-notebook.ts';
import {layNotebook, rowsOf, topAt, topShowing, type Room} from './rows.ts';

/** Columns of an indentation. */
const STEP = 4;
/** Outputs of more units are asked about before they are saved. */
const LARGE = 10_000_000;

const keysOf = (at: At) => {
	const {get, rect} = at;
	const server = get().current ?? '';
	const now = (): OpenNotebook | undefined => notebookOn(get(), server);
	const room = (): Room => ({
		width: rect.width,
		height: layoutOf(get(), server, rect).viewer,
		depth: get().colourDepth,
		inText: inTextOf(get().pictureLook, get().placed),
	});
	const withOpen = (act: (open: OpenNotebook) => string | void) => (): string | void => {
		const open = now();
		return open === undefined ? 'There is no notebook here' : act(open);
	};
	const change = (next: Partial<OpenNotebook>): void => {
		const open = now();
		if (open !== undefined) get().changeNotebook(open, () => next);
	};
	/** Brings the chosen cell into view. */
	const show = (): void => {
		const open = now();
		if (open === undefined) return;
		const laid = layNotebook(open, room());
		change({top: topAt(open, laid.blocks, topShowing(laid, room()))});
	};
	const choose = (index: number): void => {
		const open = now();
		const cell = open?.notebook.cells[index];
		if (cell === undefined) return;
		change({at: cell.key});
		show();
	};
	const step = (by: number) =>
		withOpen(open => {
			const last = open.notebook.cells.length - 1;
			if (last < 0) return `This notebook has no cells: ${keyFor('notebook.addBelow')} adds one`;
			const index = indexOfKey(open.notebook, open.at);
			choose(clamp(index + by, 0, last));
		});
	/** A screen further; the first cell that begins there is chosen. */
	const page = (by: 1 | -1) =>
		withOpen(open => {
			const laid = layNotebook(open, room());
			const {height} = room();
			const total = startOf(laid.blocks, laid.blocks.length);
			const top = clamp(laid.top + by * Math.max(1, height - 1), 0, Math.max(0, total - height));
			const isAtEnd = top === laid.top;
			const owner = placeIn(laid.blocks, top)?.block ?? 0;
			const next = startOf(laid.blocks, owner) < top && startOf(laid.blocks, owner + 1) < top + height;
			const index = isAtEnd ? (by > 0 ? laid.blocks.length - 1 : 0) : next ? owner + 1 : owner;
			change({
				top: topAt(open, laid.blocks, top),
				...(open.editing === null && {at: open.notebook.cells[index]?.key ?? open.at}),
			});
		});
	const work = (
		how: Parameters<ReturnType<At['get']>['workNotebook']>[1],
		reason = 'There is no cell',
	): string | void => {
		const open = now();
		if (open === undefined) return 'There is no notebook here';
		let hasChanged = false;
		get().workNotebook(open, (notebook, whole) => {
			const done = how(notebook, whole);
			hasChanged = done !== null;
			return done;
		});
		if (!hasChanged) return reason;
		show();
	};
	/** Does something to the chosen cell, and `below` it, as long as nothing of them runs: what comes of a cell lands in it alone. */
	const unlessRuns = (act: () => string | void, below = 0) =>
		withOpen(open => {
			const index = indexOfKey(open.notebook, open.at);
			const cells = open.notebook.cells.slice(index, index + 1 + below);
			return cells.some(({key}) => isPendingRun(open.runs.get(key)))
				? `This cell runs: wait, or ${keyFor('notebook.stop')} stops it`
				: act();
		});
	const edit = (): void => {
		const open = now();
		const cell = open && cellAt(open);
		if (open === undefined || cell === undefined) return;
		change({editing: createEditor(cell.source)});
	};
	/** What is typed becomes the cell's. */
	const commit = (): void => {
		const open = now();
		if (open === undefined || open.editing === null) return;
		get().workNotebook(open, notebook => ({notebook}));
		const typed = asTyped(open);
		if (typed === open.notebook) return;
		// workNotebook takes what is typed as given: what was before it is its step.
		get().changeNotebook(open, ({past}) => ({past: [...past, {notebook: open.notebook, at: open.at}]}));
	};
	const add = (below: 0 | 1): string | void => {
		const said = work((notebook, {at: key}) => {
			const made = withNewCell(notebook, Math.max(0, indexOfKey(notebook, key) + below));
			return {notebook: made.notebook, at: made.key};
		});
		edit();
		show();
		return said;
	};
	const keysFrom = (open: OpenNotebook, from: number, to?: number): readonly number[] =>
		open.notebook.cells.slice(from, to).map(({key}) => key);
	const runKeys = (keys: readonly number[]): string | void => {
		const open = now();
		if (open === undefined) return;
		const isCode = open.notebook.cells.some(
			({key, kind, source}) => keys.includes(key) && kind === 'code' && source.trim() !== '',
		);
		if (!isCode) return 'There is no code to run';
		get().runNotebook(open, keys);
	};
	/** Runs the chosen cell; of text there is nothing to run, and the next is chosen all the same. */
	const runOne = (then: 'stay' | 'next' | 'insert') => (): string | void => {
		commit();
		const open = now();
		const cell = open && cellAt(open);
		if (open === undefined || cell === undefined) return 'There is no cell to run';
		if (cell.kind === 'code') get().runNotebook(open, [cell.key]);
		if (then === 'insert') return add(1);
		if (then === 'stay') return cell.kind === 'code' ? undefined : 'Only cells of code run';
		const index = indexOfKey(open.notebook, open.at);
		if (index === open.notebook.cells.length - 1) return add(1);
		choose(index + 1);
	};
	const toKind = (kind: CellKind) => () =>
		work((notebook, {at: key}) => ({notebook: withKind(notebook, key, kind)}));
	const move = (by: 1 | -1) => () =>
		work((notebook, {at: key}) => ({notebook: withMoved(notebook, key, by)}));
	const save = (): string | void => {
		commit();
		const open = now();
		if (open === undefined) return;
		const size = outputSize(asTyped(open));
		if (size > LARGE)
			get().openDialog({kind: 'save-large', file: {server: open.server, path: open.path}, size});
		else void get().saveNotebook(open);
	};
	const editor = withOpen(open => {
		commit();
		const cell = cellAt(open);
		if (cell === undefined) return 'There is no cell to edit';
		const {key} = cell;
		const source = now()?.notebook.cells.find(each => each.key === key)?.source ?? '';
		get().changeNotebook(open, () => ({isOutside: true}));
		void get()
			.editText(server, 'code', source)
			.then(text => {
				get().changeNotebook(open, () => ({isOutside: false}));
				if (text === null) return;
				get().workNotebook(open, notebook => {
					if (indexOfKey(notebook, key) !== -1) return {notebook: withSource(notebook, key, text), at: key};
					get().notify('info', 'The cell is gone: what you wrote is a new one at the end');
					const made = withNewCell(notebook, notebook.cells.length);
					return {notebook: withSource(made.notebook, made.key, text), at: made.key};
				});
			});
	});
	const toggled = (keys: ReadonlySet<number>, key: number): ReadonlySet<number> => {
		const next = new Set(keys);
		if (!next.delete(key)) next.add(key);
		return next;
	};
	const find = (by: 1 | -1) =>
		withOpen(open => {
			const words = open.find?.field.text.toLowerCase() ?? '';
			if (words === '') return `${keyFor('notebook.find')} looks for words`;
			const {cells} = open.notebook;
			const from = indexOfKey(open.notebook, open.at);
			for (let far = 1; far <= cells.length; far++) {
				const index = (from + by * far + cells.length * 2) % cells.length;
				const cell = cells[index];
				if (cell === undefined) break;
				const texts = [cell.source, ...cell.outputs.map(textOf)];
				if (texts.some(text => text.toLowerCase().includes(words))) {
					choose(index);
					return (by > 0 ? index <= from : index >= from) ? 'The search wrapped around' : undefined;
				}
			}
			return `${JSON.stringify(words.slice(0, 60))} is in none of the cells`;
		});
	const sideways = (by: 1 | -1) =>
		withOpen(open => {
			const cell = cellAt(open);
			if (cell === undefined) return 'There is no cell';
			const placed = (left: number) => new Map(open.sideways).set(cell.key, left);
			const left = open.sideways.get(cell.key) ?? 0;
			const to = movedSideways(each => rowsOf(cell, {...open, sideways: placed(each)}, room()), left, by);
			if (typeof to === 'string') return to;
			change({sideways: placed(to)});
		});
	const withPicture = (act: (picture: SentPicture) => void) =>
		withOpen(open => {
			const bytes = lastPictureIn(cellAt(open)?.outputs ?? []);
			if (bytes === null) return NO_PICTURE;
			act({name: `Cell ${indexOfKey(open.notebook, open.at) + 1}`, bytes});
		});
	const draft = (): Editor => now()?.editing ?? createEditor();
	const setDraft = (editing: Editor): void => change({editing});
	const beforeCursor = (): string => draft().text.slice(0, draft().cursor);
	/** Where code is typed; null in a cell of text. */
	const fieldNow = (): CodeField | null => {
		const open = now();
		return open !== undefined && cellAt(open)?.kind === 'code' ? cellField(open, open.at) : null;
	};
	/** Its link may not have been looked for yet. */
	const isLive = (): boolean => get().links.get(server)?.kind !== 'none';
	const field = (): Editor => now()?.find?.field ?? createEditor();
	const setField = (next: Editor): void => change({find: {field: next, typing: true}});
	const answer = (): Editor => now()?.asks?.field ?? createEditor();
	const setAnswer = (next: Editor): void => {
		const asks = now()?.asks;
		if (asks) change({asks: {...asks, field: next}});
	};

	return {
		notebook: {
			up: step(-1),
			down: step(1),
			pageUp: page(-1),
			pageDown: page(1),
			first: step(-Infinity),
			last: step(Infinity),
			left: sideways(-1),
			right: sideways(1),
			edit: withOpen(open =>
				cellAt(open) === undefined
					? `This notebook has no cells: ${keyFor('notebook.addBelow')} adds one`
					: edit(),
			),
			runNext: runOne('next'),
			run: runOne('stay'),
			runInsert: runOne('insert'),
			save,
			addAbove: () => add(0),
			addBelow: () => add(1),
			remove: unlessRuns(() =>
				work((notebook, {at: key}) => {
					const index = indexOfKey(notebook, key);
					if (index === -1) return null;
					const next = notebook.cells[index + 1] ?? notebook.cells[index - 1];
					return {notebook: withoutCell(notebook, key), at: next?.key ?? -1};
				}, 'There is no cell to delete'),
			),
			undo: withOpen(open => {
				const before = open.past.at(-1);
				if (before === undefined) return 'Nothing to undo';
				get().changeNotebook(open, ({notebook, past}) => ({
					notebook: takenBack(notebook, before.notebook),
					at: before.at,
					past: past.slice(0, -1),
				}));
				show();
			}),
			runAll: withOpen(open => runKeys(keysFrom(open, 0))),
			runAbove: withOpen(open => runKeys(keysFrom(open, 0, indexOfKey(open.notebook, open.at)))),
			runBelow: withOpen(open => runKeys(keysFrom(open, indexOfKey(open.notebook, open.at)))),
			stop: withOpen(open => (get().stopNotebook(open) ? undefined : 'Nothing of this notebook runs')),
			kernel: withOpen(open => void get().chooseNotebookKernel({server: open.server, path: open.path})),
			moveUp: move(-1),
			moveDown: move(1),
			merge: unlessRuns(
				withOpen(({notebook: {cells}, at: chosen}) => {
					const below = cells[indexOfKey({cells}, chosen) + 1];
					if (below && attachmentsOf(below))
						return 'The cell below holds pictures of its own, which merging would lose';
					return work((notebook, {at: key}) => {
						const merged = withMerged(notebook, key);
						return merged && {notebook: merged};
					}, 'There is no cell below to merge with');
				}),
				1,
			),
			code: toKind('code'),
			markdown: toKind('markdown'),
			raw: toKind('raw'),
			clear: () => work((notebook, {at: key}) => ({notebook: withoutOutputs(notebook, key)})),
			clearAll: () => work(notebook => ({notebook: withoutOutputs(notebook)})),
			fold: withOpen(open => change({unfolded: toggled(open.unfolded, open.at)})),
			hide: withOpen(open =>
				(cellAt(open)?.outputs.length ?? 0) === 0
					? 'This cell has no outputs'
					: change({hidden: toggled(open.hidden, open.at)}),
			),
			picture: withPicture(picture => get().openPicture(picture)),
			savePicture: withPicture(picture => get().openDialog({kind: 'save-picture', picture})),
			find: withOpen(open => change({find: {field: open.find?.field ?? createEditor(), typing: true}})),
			nextMatch: find(1),
			previousMatch: find(-1),
			editor,
			copy: withOpen(open => {
				const cell = cellAt(open);
				return cell === undefined ? 'There is no cell to copy' : get().copy(cell.source, 'The cell');
			}),
			compare: withOpen(open => void get().reviewNotebook(open)),
			text: () => get().changeViewer(server, {raw: true}),
			tree: withOpen(open => (open.find === null ? get().focusPart('files', 'tree') : change({find: null}))),
		},
		notebookEdit: {
			...editingKeys({draft, set: setDraft}),
			leave: () => {
				commit();
				show();
			},
			runNext: runOne('next'),
			run: runOne('stay'),
			runInsert: runOne('insert'),
			split: unlessRuns(() => {
				// The cursor counts in what the editor shows, whose lines end in line feeds alone.
				const {cursor, text} = draft();
				const said = work((notebook, {at: key}) => {
					const parts = withSplit(withSource(notebook, key, text), key, cursor);
					return parts && {notebook: parts.notebook, at: parts.key};
				});
				return said;
			}),
			editor,
			save,
			newline: () => {
				const open = now();
				const {text, cursor} = draft();
				const isCode = open !== undefined && cellAt(open)?.kind === 'code';
				setDraft(insert(draft(), `\n${isCode ? nextIndent(text, cursor) : ''}`));
			},
			complete: () => {
				const before = beforeCursor();
				const field = fieldNow();
				const what = field === null ? 'indent' : tabIn(before, isLive());
				if (field !== null && what === 'complete')
					return isLive() ? get().completeCode(field) : complete(get, field);
				if (typeof what !== 'string') return what.says;
				const column = before.length - before.lastIndexOf('\n') - 1;
				setDraft(insert(draft(), ' '.repeat(STEP - (column % STEP))));
			},
			inspect: () => {
				const field = fieldNow();
				if (field === null || beforeCursor().trim() === '' || !isLive())
					return at.act('anywhere', 'previousPane');
				const {text: code, cursor} = draft();
				get().inspectCode(field, {code, cursor, detail: 0, isAsked: true});
			},
			backspace: () => {
				// In the indentation of a line one press goes back one step of it.
				const {text, cursor} = draft();
				const before = /(?:^|\n)( +)$/.exec(text.slice(0, cursor))?.[1] ?? '';
				const steps = before.length === 0 ? 1 : ((before.length - 1) % STEP) + 1;
				let next = draft();
				for (let each = 0; each < steps; each++) next = backspace(next);
				setDraft(next);
			},
			up: () => setDraft(up(draft()).editor),
			down: () => setDraft(down(draft()).editor),
			pageUp: page(-1),
			pageDown: page(1),
			typed: (text: string) => {
				setDraft(insert(draft(), text));
				const field = fieldNow();
				const question = text.endsWith('?') && isLive() ? questionIn(beforeCursor()) : null;
				if (field === null || question === null) return;
				const {text: code, detail} = question;
				get().inspectCode(field, {code, cursor: code.length, detail, isAsked: false});
			},
		},
		notebookAnswer: {
			...editingKeys({draft: answer, set: setAnswer}),
			answer: withOpen(open => get().answerNotebook(open)),
			interrupt: withOpen(open => void get().stopNotebook(open)),
			typed: (text: string) => setAnswer(insert(answer(), onOneLine(text.replace(/[\r\n]+$/, '')))),
		},
		notebookFind: {
			...editingKeys({draft: field, set: setField}),
			accept() {
				change({find: {field: field(), typing: false}});
				return find(1)();
			},
			leave: () => change({find: null}),
			typed: (text: string) => setField(insert(field(), onOneLine(text))),
		},
	};
};

const textOf = (output: Readonly<Record<string, unknown>>): string =>
	[
		joined(output['text']),
		joined(fieldsOf(output['data'])['text/plain']),
		joined(output['traceback'], '\n'),
	].join('\n');

export const notebookHandlers: ScopeHandlers = {
	notebook: at => keysOf(at).notebook,
	notebookEdit: at => keysOf(at).notebookEdit,
	notebookAnswer: at => keysOf(at).notebookAnswer,
	notebookFind: at => keysOf(at).notebookFind,
};
