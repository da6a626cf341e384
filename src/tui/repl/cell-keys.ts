import {movedSideways} from '../cells/rows/sideways.ts';
import {tableIn} from '../cells/cell-table.ts';
import {kernelData} from '../cells/data/kernel-data.ts';
import {kernelVariables} from '../cells/data/variables.ts';
import {outputOfCell} from '../cells/cell-text.ts';
import {placesIn} from '../cells/places.ts';
import {sessionExport} from './export.ts';
import {indexOfCell, replOf, type Repl} from './transcript.ts';
import {hasRaised, isPending, type Cell} from '../cells/cell.ts';
import {figureViewer, hasFigure} from '../cells/figures.ts';
import {lastPictureIn, NO_PICTURE} from '../cells/pictures.ts';
import type {SentPicture} from '../pictures/sent.ts';
import {toNewCell} from './export-formats.ts';
import {insert, type Editor} from '../../text/editor/editor.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import {mayHold} from '../core/components/find-rows.ts';
import {onOneLine} from '../core/components/line-field.ts';
import {startOf, windowOf} from '../core/components/transcript.ts';
import {foundIn, nextFound} from '../core/components/transcript-find.ts';
import type {KeyContext} from '../core/feature.ts';
import {actionOn, actionsOf, refused, type KeyScope} from '../core/keys/action.ts';
import {line, reading} from '../core/keys/binding-sets.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {replacedBy} from '../core/store/typed-field.ts';
import {topOf, scrollCells, topAt, selectedIn} from './cell-position.ts';
import {placeOf} from './layout.ts';
import {replSession, type ReplSession} from './session.ts';
import {route} from '../core/store/route.ts';
import {clipboard} from '../core/store/clipboard.ts';
import {pictureViewer} from '../pictures/pictures.ts';
import {notebookOpening} from '../notebook/open.ts';
import {attach} from '../files/ports.ts';
import {externalEditor} from '../files/saving/external-editor.ts';
import {replOwner} from '../cells/kernels/owner.ts';
import {kernelRestart} from '../cells/kernels/restart.ts';

const pictureOf = ({result}: Cell): SentPicture | null => {
	const bytes = lastPictureIn(result?.outputs ?? []);
	return bytes && {name: `Out[${result?.execution_count ?? ' '}]`, bytes};
};

const NO_CELL = 'There is no cell yet';

/** Data and functions that the keys for reading cells share. */
const readingOf = ({get, rect}: KeyContext) => {
	const place = placeOf(get, get().current ?? '', rect);
	const {server, room, width, linesOf, blocksOf} = place;
	const repl = (): Repl => replOf(get(), server);
	const change = (next: Parameters<ReplSession['changeRepl']>[1]): void =>
		replSession(get).changeRepl(server, next);
	const cell = (): Cell | undefined => repl().cells[selectedIn(repl())];
	/** Scrolls rows of a cell into view: one row to the middle, several to the top. */
	const show = (index: number, row: number, height: number): void => {
		const blocks = blocksOf(repl());
		const {last} = windowOf(blocks, null, room);
		const line = startOf(blocks, index) + row;
		const top = Math.min(topOf(repl(), blocks) ?? last, last);
		if (line >= top && line + Math.min(height, room) <= top + room) return;
		const to = height > 1 ? line : Math.max(0, line - Math.floor(room / 2));
		change({top: topAt(repl(), blocks, to >= last ? null : to)});
	};
	const select = (step: number): string | void => {
		if (step < 0 && selectedIn(repl()) === 0) replSession(get).showOlder(server, 'some');
		const {cells} = repl();
		if (cells.length === 0) return NO_CELL;
		const to = selectedIn(repl()) + step;
		if (to < 0) return 'This is the first cell';
		if (to >= cells.length) return 'This is the last cell';
		change({selected: cells[to]?.id ?? null});
		show(to, 0, blocksOf(repl())[to]?.length ?? 1);
	};
	/** Selects a visible cell after scrolling. */
	const follow = (): void => {
		const blocks = blocksOf(repl());
		const {owners} = windowOf(blocks, topOf(repl(), blocks), room);
		const at = selectedIn(repl());
		if (owners.length === 0 || owners.includes(at)) return;
		const to = at < (owners[0] ?? 0) ? owners[0] : owners.at(-1);
		change({selected: repl().cells[to ?? at]?.id ?? null});
	};

	const sideways = (cell: Cell, step: 1 | -1): string | void => {
		const isOpen = repl().unfolded.has(cell.id);
		const left = repl().sideways.get(cell.id) ?? 0;
		const to = movedSideways(each => linesOf(cell, isOpen, each), left, step);
		if (typeof to === 'string') return to;
		change({sideways: new Map(repl().sideways).set(cell.id, to), selected: cell.id});
	};

	const find = (step: 1 | -1): string | void => {
		if (repl().find.field.text === '')
			return `Nothing to search for yet: ${keyFor('cells.find')} starts a search`;
		replSession(get).showOlder(server, 'all');
		const {
			cells,
			find: {
				field: {text: query},
				at,
			},
		} = repl();
		const found = foundIn(
			cells.map(cell => ({
				key: cell,
				mayHold: words => mayHold(`${cell.source}\n${outputOfCell(cell)}`, words),
				rows: () => linesOf(cell, true),
			})),
			query,
			width,
		);
		const from =
			at === null
				? {block: selectedIn(repl()), row: step > 0 ? -1 : Infinity}
				: {block: indexOfCell({cells}, at.cell), row: at.row};
		const next = nextFound(found, from, step);
		const {block, row} = found[next.at] ?? {block: -1, row: 0};
		const cell = cells[block];
		if (cell === undefined) {
			change({find: {...repl().find, at: null}});
			return `${JSON.stringify(query.slice(0, 60))} is in none of the cells`;
		}
		change({
			find: {...repl().find, at: {cell: cell.id, row, number: next.at + 1, count: found.length}},
			selected: cell.id,
			unfolded: new Set(repl().unfolded).add(cell.id),
		});
		// A block may start with lines above the cell, such as a notice of a new kernel.
		show(block, row + (blocksOf(repl())[block]?.length ?? 0) - linesOf(cell, true).length, 1);
		return next.isAround ? 'The search wrapped around' : undefined;
	};

	return {...place, repl, change, cell, select, follow, sideways, find};
};

const on = actionOn(readingOf);
const onCell = actionOn(at => {
	const reading = readingOf(at);
	const cell = reading.cell();
	return cell === undefined ? refused(NO_CELL) : {...reading, cell};
});

/** Longest output that is laid out to see if a cell can be folded, in UTF-16 units. */
const MOST_LAID = 20_000;

const canFold = (cell: Cell, {repl, linesOf}: ReturnType<typeof readingOf>): boolean =>
	repl().unfolded.has(cell.id) ||
	outputOfCell(cell).length > MOST_LAID ||
	linesOf(cell, true).length !== linesOf(cell).length;

export const cellKeys: KeyScope = {
	where: 'REPL, reading',
	name: 'REPL, reading',
	screen: 'repl',
	part: 'cells',
	actions: {
		...actionsOf(reading, at => {
			const now = readingOf(at);
			return scrollCells(now, now.follow);
		}),
		previous: on({keys: ['['], label: 'Cell above', run: ({select}) => select(-1)}),
		next: on({keys: [']'], label: 'Cell below', run: ({select}) => select(1)}),
		left: onCell({
			keys: ['left', 'h'],
			label: 'Wide table: columns to the left',
			run: ({cell, sideways}) => sideways(cell, -1),
		}),
		right: onCell({
			keys: ['right', 'l'],
			label: 'Wide table: columns to the right',
			run: ({cell, sideways}) => sideways(cell, 1),
		}),
		edit: {
			keys: ['enter', 'i'],
			label: 'type code',
			hint: true,
			run: ({get}) => route(get).focusPart('repl', 'repl'),
		},
		fold: onCell({
			keys: ['F'],
			was: ['space'],
			label: 'fold',
			hint: true,
			now: ({cell, ...now}, at) =>
				canFold(cell, readingOf(at)) ? (now.repl().unfolded.has(cell.id) ? 'fold' : 'unfold') : null,
			run({cell, repl, change, linesOf, blocksOf, room}) {
				const unfolded = new Set(repl().unfolded);
				if (linesOf(cell, true).length === linesOf(cell, false).length) return 'All of this cell is shown';
				if (!unfolded.delete(cell.id)) unfolded.add(cell.id);
				change({unfolded, selected: cell.id});
				const index = selectedIn(repl());
				const blocks = blocksOf(repl());
				change({
					top: topAt(repl(), blocks, Math.min(startOf(blocks, index), windowOf(blocks, null, room).last)),
				});
			},
		}),
		attach: onCell({
			keys: ['@', 'space @'],
			label: 'Ask about the cell',
			run({get, cell, repl}) {
				const number = cell.result?.execution_count;
				if (typeof number !== 'number') return 'This cell has not run yet, so a question cannot name it';
				const newest = repl().cells.findLast(({result}) => result?.execution_count === number);
				if (newest !== cell) return `A later cell has the number ${number} too`;
				return attach(get, {kind: 'cell', number});
			},
		}),
		explain: onCell({
			keys: ['E'],
			label: 'explain the error',
			hint: true,
			writes: true,
			now: ({cell}) => (hasRaised(cell) ? undefined : null),
			run: ({get, server, cell}) => sessionExport(get).explainCell(server, cell.id),
		}),
		find: {
			keys: ['/'],
			label: 'find',
			hint: true,
			now: at => (readingOf(at).cell() === undefined ? null : undefined),
			run: ({get}) => route(get).focusPart('repl', 'cellFind'),
		},
		copySource: onCell({
			keys: ['y'],
			label: 'copy the code',
			hint: true,
			run: ({get, cell}) => clipboard(get).copy(cell.source, 'The code'),
		}),
		copyOutput: onCell({
			keys: ['Y'],
			label: 'Copy the output',
			run({get, cell}) {
				const text = outputOfCell(cell);
				return text === '' ? 'This cell has no output' : clipboard(get).copy(text, 'The output');
			},
		}),
		change: onCell({
			keys: ['e', 'space e'],
			label: 'Edit the cell and run it again',
			run({get, cell, repl, change}) {
				change(replacedBy(repl(), cell.source));
				route(get).focusPart('repl', 'repl');
			},
		}),
		again: onCell({
			keys: ['r', 'space enter'],
			label: 'Run the cell again',
			writes: true,
			run: ({get, server, cell}) => replSession(get).runCells(server, [cell.source]),
		}),
		allAbove: onCell({
			keys: ['A', 'space A'],
			label: 'Run all the cells above again',
			writes: true,
			run({get, server, cell: selected, repl}) {
				const {cells} = repl();
				// Cells of earlier sessions are not run again: variables that they use may be gone.
				const above = cells
					.slice(0, cells.indexOf(selected))
					.filter(cell => cell.earlier === null && !isPending(cell));
				if (above.length === 0) return 'There is no cell of this session above it';
				replSession(get).runCells(
					server,
					above.map(cell => cell.source),
				);
				return `${above.length} cell${above.length === 1 ? '' : 's'} run again, until one fails`;
			},
		}),
		toNotebook: onCell({
			keys: ['w'],
			label: 'Add the cell to the open notebook',
			run({get, server, cell}) {
				if (isPending(cell)) return 'This cell has not ended yet';
				void notebookOpening(get).putInNotebook(server, [toNewCell(cell)]);
			},
		}),
		table: onCell({
			keys: ['t'],
			label: 'Open the table',
			run: ({get, server, cell}) =>
				kernelData(get).openResult(server, replOwner(get, server).document, {
					name: `Out[${cell.result?.execution_count ?? ' '}]`,
					source: cell.source,
					result: cell.result,
					printed: tableIn(cell.result?.outputs ?? []),
				}),
		}),
		picture: onCell({
			keys: ['P'],
			label: 'Open the picture',
			run({get, cell}) {
				const found = pictureOf(cell);
				if (found === null) return NO_PICTURE;
				pictureViewer(get).openPicture(found);
			},
		}),
		savePicture: onCell({
			keys: ['S'],
			label: 'Save the picture',
			run({get, cell}) {
				const picture = pictureOf(cell);
				if (picture === null) return NO_PICTURE;
				route(get).openDialog({kind: 'save-picture', picture});
			},
		}),
		place: onCell({
			keys: ['o', 'space O'],
			label:
				'Open its figure in your browser; the file, line or cell it names; its picture in your picture viewer',
			run({get, server, cell}) {
				const outputs = cell.result?.outputs ?? [];
				if (hasFigure(outputs)) return void figureViewer(get).openFigure(outputs);
				const places = placesIn(cell);
				const picture = places.length === 0 ? pictureOf(cell) : null;
				if (picture !== null) return void pictureViewer(get).viewOutside(picture);
				if (places.length === 0) return 'This cell names no file and line, and has no picture or figure';
				route(get).openDialog({kind: 'places', server, places, cellsOf: 'repl'});
			},
		}),
		pager: onCell({
			keys: ['v'],
			label: 'Open the output in your editor',
			run({get, server, cell}) {
				const text = outputOfCell(cell);
				if (text === '') return 'This cell has no output';
				void externalEditor(get).editText(server, 'output', text);
			},
		}),
		drop: onCell({
			keys: ['x'],
			label: 'Remove the cell from the queue',
			run({get, server, cell}) {
				if (cell.state !== 'queued') return 'Only a waiting cell can be removed from the queue';
				replSession(get).dropCell(server, cell.id);
			},
		}),
		findNext: on({keys: ['n'], label: 'Next match', run: ({find}) => find(1)}),
		findPrevious: on({keys: ['N'], label: 'Previous match', run: ({find}) => find(-1)}),
		save: on({
			keys: ['space w'],
			was: ['s'],
			label: 'Write the session to a file',
			also: 'export notebook ipynb',
			run: ({get, server}) => route(get).openDialog({kind: 'export', server}),
		}),
		variables: on({
			keys: ['space v'],
			label: 'Variables of the kernel',
			run: ({get, server}) => kernelVariables(get).showVariables(server, replOwner(get, server).document),
		}),
		restart: on({
			keys: ['space k r'],
			label: 'Restart the kernel',
			writes: true,
			run: ({get, server}) =>
				kernelRestart(get).askRestart(server, {document: replOwner(get, server).document}),
		}),
	},
};

const findField = ({get}: KeyContext) => {
	const server = get().current ?? '';
	return {
		draft: () => replOf(get(), server).find.field,
		set: (field: Editor) => replSession(get).changeRepl(server, {find: {field, at: null}}),
	};
};

/** The search field (`/`) of the cells. */
export const cellFindKeys: KeyScope = {
	where: 'finding in the cells',
	name: 'Finding in the cells',
	isText: true,
	isPassing: true,
	actions: {
		accept: {
			keys: ['enter', 'tab'],
			label: 'find',
			hint: true,
			run(at) {
				route(at.get).focusPart('repl', 'cells');
				return readingOf(at).find(1);
			},
		},
		...actionsOf(line, at => editingKeys(findField(at))),
		leave: {keys: ['esc'], label: 'leave the search', run: ({get}) => route(get).focusPart('repl', 'cells')},
	},
	typed(at, text) {
		const {draft, set} = findField(at);
		set(insert(draft(), onOneLine(text)));
	},
};
