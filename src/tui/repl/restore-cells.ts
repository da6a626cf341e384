// Loaded after the first frame, because the schemas of the contract take long to load.
import type {Failure} from '../../api/failure.ts';
import {executedCell} from '../../contract/cells.ts';
import type {CellJournal, SavedCell} from '../../storage/cell-journal.ts';
import type {Cell, CellState} from '../cells/cell.ts';
import type {Store} from '../core/program.ts';
import {isRecord} from '../../text/record.ts';
import {storageErrorText} from '../../machine/disk-fault.ts';
import {notices} from '../core/store/notices.ts';
import {takeUpNotebooks} from '../notebook/take-up.ts';
import {replSession} from './session.ts';

const STATES: ReadonlySet<string> = new Set<CellState>([
	'done',
	'failed',
	'interrupted',
	'gave-up',
	'skipped',
	'unanswered',
]);
const isState = (state: string): state is CellState => STATES.has(state);
const isFailure = (value: unknown): value is Failure =>
	isRecord(value) && 'kind' in value && 'message' in value && 'method' in value;

const earlierCell = ({session, asked, ended}: SavedCell, index: number): Cell => {
	const result = executedCell.safeParse(ended?.result);
	return {
		// Lower than the ids of this run's cells, which start at 1.
		id: index,
		source: asked.source,
		earlier: {session, at: asked.at, id: asked.id},
		pictures: new Map(),
		state: ended !== null && isState(ended.state) ? ended.state : 'unknown',
		startedAt: ended?.startedAt ?? null,
		endedAt: ended?.endedAt ?? null,
		result: result.success ? result.data : null,
		failure: isFailure(ended?.failure) ? ended.failure : null,
		life: ended?.life,
		others: ended?.others,
		isLastOfKernel: ended?.isLastOfKernel,
	};
};

/** Restores the cells of earlier runs when a server becomes the current one for the first time. */
export const restoreCells = (store: Store, journal: CellJournal): void => {
	takeUpNotebooks(store.getState().app, journal);
	const known = new Set<string>();
	const restore = async (server: string): Promise<void> => {
		try {
			const {history, cells, unreadable, rest} = await journal.read(server);
			if (unreadable > 0)
				notices(store.getState).notify(
					'info',
					`${unreadable} line${unreadable === 1 ? '' : 's'} of the journal of cells could not be read and ${unreadable === 1 ? 'was' : 'were'} left out`,
				);
			replSession(store.getState).putBackCells(server, {
				history,
				cells: cells.map((cell, index) => earlierCell(cell, index - cells.length)),
				kernel: cells.at(-1)?.asked.kernel ?? null,
				rest,
			});
			for (const left of journal.runs.left(server)) {
				if (left.document.kind !== 'repl') continue;
				const ids = new Map(
					left.cells.flatMap(({number, place}) => {
						const at = cells.findIndex(
							({session, asked: {id}}) => 'session' in place && session === place.session && id === place.id,
						);
						return at === -1 ? [] : [[number, at - cells.length] as const];
					}),
				);
				replSession(store.getState).takeUpRun(server, left, ids);
			}
		} catch (error) {
			notices(store.getState).notify('bad', `Earlier cells cannot be read: ${storageErrorText(error)}`);
		}
	};
	const restoreOnce = (server: string | null): void => {
		if (server === null || known.has(server)) return;
		known.add(server);
		void restore(server);
	};
	store.subscribe(({current}) => restoreOnce(current));
	restoreOnce(store.getState().current);
};
