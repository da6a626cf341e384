// Notebooks as documents in the file viewer.
import {label} from '../../text/safe.ts';
import type {App} from '../core/app.ts';
import {lineField} from '../core/components/line-field.ts';
import {useMarkdown} from '../core/components/markdown.ts';
import {windowOf} from '../core/components/transcript.ts';
import type {Rect} from '../core/program.ts';
import {useApp} from '../core/store-context.ts';
import {outputWidth} from '../cells/rows/gutter.ts';
import {PICTURE_ROWS} from '../cells/rows/picture-lines.ts';
import {outputPlacings, usePlacings} from '../cells/use-placings.ts';
import {keyOf} from '../files/content.ts';
import type {DocumentKind, DocumentView} from '../files/document.ts';
import {isWithin, movedPath} from '../files/tree/tree-paths.ts';
import {FIND_FIELD} from '../files/viewer/title.ts';
import {useLoad} from '../live/use-load.ts';
import {mayBeInText} from '../pictures/in-text.ts';
import {pictureRowsIn} from './cell-rows.ts';
import {withHelp} from './code-field.ts';
import {roomIn} from './layout-area.ts';
import {isPendingRun, notebookOn, runsNow} from './open-notebook.ts';
import {notebookOpening} from './open.ts';
import {pictureOfOutput} from './output-pictures.ts';
import {layoutNotebook} from './rows.ts';
import {endedCells} from './run-reports.ts';
import {notebookSaving} from './save.ts';
import {notebookRows, notebookTitle} from './view.ts';

/** Column of the search field in the title. */
const FIND_AT = 4;

const useView = (server: string, rect: Rect, hasKeys: boolean): DocumentView | null => {
	const completions = useApp(state => state.completions);
	const documentation = useApp(state => state.documentation);
	const open = useApp(state => notebookOn(state, server));
	const isSaving = useApp(state => open !== undefined && state.saving.includes(open.path));
	const load = useLoad(server, open !== undefined && runsNow(open));
	useMarkdown(open !== undefined);
	const look = useApp(state => state.pictureLook);
	const room = useApp(state => roomIn(state, server, rect));
	const laid = open && layoutNotebook(open, room);
	usePlacings('files', () => {
		if (!mayBeInText(look) || !open || !laid) return [];
		return [...new Set(windowOf(laid.blocks, laid.top, room.height).owners)].flatMap(index => {
			const cell = open.notebook.cells[index];
			if (cell === undefined) return [];
			const height = open.unfolded.has(cell.key) ? PICTURE_ROWS : pictureRowsIn(room.height);
			return outputPlacings(cell.outputs, pictureOfOutput, {width: outputWidth(room.width) - 2, height});
		});
	});
	if (!open || !laid) return null;
	const {cursor, top} = laid;
	return {
		title: notebookTitle(open, laid, {isFocused: hasKeys, width: room.width, isSaving, load}),
		rows: withHelp(notebookRows(open, laid, room, hasKeys), {completions, documentation}, open, laid, room),
		cursor: open.find?.typing
			? {x: FIND_AT + lineField(open.find.field, FIND_FIELD).x, y: 0}
			: cursor && {x: cursor.x, y: 1 + cursor.row - top},
	};
};

export const notebookDocuments = ({get, set}: App): DocumentKind => ({
	open: async server => notebookOpening(get).workInNotebook(server),
	resume: async text => notebookOpening(get).resumeNotebook(text),
	scope(state, server) {
		const open = notebookOn(state, server);
		if (open === undefined) return undefined;
		if (open.find?.typing) return 'notebookFind';
		if (open.editing !== null) return 'notebookEdit';
		return open.asks === null ? 'notebook' : 'notebookAnswer';
	},
	useView,
	ended: endedCells,
	saved: (file, entry, text) => notebookSaving(get).notebookSaved(file, entry, text),
	left: file => notebookSaving(get).notebookLeft(file),
	// A file with a running cell cannot be moved: the outputs are written to its old path.
	heldBy(server, path) {
		const running = [...get().notebooks.values()].find(
			open =>
				open.server === server && isWithin(open.path, path) && [...open.runs.values()].some(isPendingRun),
		);
		return running && `A cell of ${label(running.path)} is running: stop it or wait for it`;
	},
	moved(server, from, to) {
		if (get().notebooks.size === 0) return;
		const moved = [...get().notebooks.values()].map(open => {
			if (open.server !== server || !isWithin(open.path, from)) return open;
			const path = movedPath(open.path, from, to);
			open.copy?.moved(path);
			return {...open, path, base: {...open.base, path}};
		});
		set({notebooks: new Map(moved.map(open => [keyOf(open), open]))});
	},
});
