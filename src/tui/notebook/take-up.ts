// Cells of notebooks that ended programs left behind. Loaded after the first frame.
import type {LeftCell, LeftRun} from '../../storage/run-log.ts';
import {insertCells, type NewCell} from '../../text/notebook/edit.ts';
import {newNotebook} from '../../text/notebook/new-notebook.ts';
import {readNotebook, type Output} from '../../text/notebook/notebook.ts';
import {placesOf} from '../../text/notebook/places.ts';
import {notebookText} from '../../text/notebook/serialize.ts';
import {label} from '../../text/safe.ts';
import {sessionOf} from '../../run/open-kernel.ts';
import {sentCells} from '../../run/sent-cells.ts';
import type {CellJournal} from '../../storage/cell-journal.ts';
import {documentLogs} from '../cells/document-logs.ts';
import type {App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';
import {contentOf, isText, keyOf, textFile, type ServerFile} from '../files/content.ts';
import {unsavedEdits} from '../files/saving/unsaved-edits.ts';
import {serverLinks} from '../live/links.ts';
import {isOpen} from '../servers/opened.ts';
import {notebookList} from './notebooks.ts';
import {openedNotebook, type OpenNotebook} from './open-notebook.ts';
import {notebookRecovery} from './recovery.ts';
import {runReports} from './run-reports.ts';

/** Resumes the cells that ended programs left behind, once their server can be reached. */
export const takeUpNotebooks = (app: App, journal: CellJournal): void => {
	const {get, subscribe, deps} = app;
	const openOf = (file: ServerFile): OpenNotebook | undefined => get().notebooks.get(keyOf(file));

	/** Opens a notebook without showing it: its unsaved text, or else its file. */
	const openBehind = async (file: ServerFile): Promise<OpenNotebook | undefined> => {
		if (openOf(file) !== undefined) return openOf(file);
		const kept = await unsavedEdits(app).keptEditOf(file.server, file.path);
		const saved = kept && kept.before !== null ? readNotebook(kept.before) : null;
		const mine = kept && saved !== null ? readNotebook(kept.read()) : null;
		if (openOf(file) !== undefined) return openOf(file);
		if (kept?.before != null && saved !== null && mine !== null && typeof saved !== 'string') {
			if (typeof mine === 'string') return undefined;
			const base = textFile(file.path, kept.before);
			notebookList(app).putNotebook(openedNotebook(file, base, {saved, notebook: mine}));
			await notebookRecovery(app).replaceCopy(file, kept);
			return openOf(file);
		}
		const reply = await (await deps.client()).getFile(file.server, file.path);
		if (!reply.ok || !isText(reply.value)) return undefined;
		const read = readNotebook(contentOf(reply.value));
		if (typeof read === 'string') return undefined;
		if (openOf(file) === undefined)
			notebookList(app).putNotebook(openedNotebook(file, reply.value, {saved: read, notebook: read}));
		return openOf(file);
	};
	/** Stores outputs of cells that are no longer in the notebook, as an unsaved edit. */
	const keepElsewhere = async (
		file: ServerFile,
		kernel: string,
		cells: readonly NewCell[],
	): Promise<void> => {
		const open = openOf(file);
		const base = open?.saved ?? newNotebook(kernel, []);
		const copy = await deps.keepCopy?.({
			text: open === undefined ? '' : contentOf(open.base),
			name: file.path,
			isNew: open === undefined,
			about: {what: 'file', ...file},
		});
		copy?.write(notebookText(insertCells(base, base.cells.length, cells).notebook));
		copy?.leave();
		const what = cells.length === 1 ? 'The output of a cell' : `The outputs of ${cells.length} cells`;
		if (copy)
			notices(app).notify(
				'info',
				`${what} no longer in ${label(file.path, 200)} ${cells.length === 1 ? 'is' : 'are'} kept: :edits shows them`,
			);
	};

	/** Resumes a notebook's cells. False if there is no live link yet: the caller retries later. */
	const takeUp = async (left: LeftRun, file: ServerFile): Promise<boolean> => {
		const sent = left.cells.find(({to}) => to !== null && to !== 'service');
		if (sent) {
			const session = sessionOf({kind: 'notebook', path: file.path, kernel: sent.kernel});
			if ((await serverLinks(app).linkOf(file.server, session)) === null) return false;
		}
		const open = await openBehind(file);
		const log = await documentLogs(app).resume(left);
		if (log === null) return true;
		const list = notebookList(app);
		const keys = open === undefined ? new Map<number, number>() : placesOf(left.cells, open.notebook);
		const kernel = left.cells.at(-1)?.kernel;
		if (open?.kernel === null && kernel !== undefined)
			list.changeNotebook(file, () => ({kernel: {name: kernel, spec: null}}));
		for (const {number} of left.cells) {
			const key = keys.get(number);
			if (key !== undefined) list.records.takeUp(file, key, {log, number});
		}
		const keysOf = (isMeant: (cell: LeftCell) => boolean): readonly number[] =>
			left.cells.filter(isMeant).flatMap(({number}) => keys.get(number) ?? []);
		const unsent = keysOf(({to}) => to === null);
		list.runner.skip(file, unsent);
		list.runner.forget(
			file,
			keysOf(({to}) => to === 'service'),
		);
		if (unsent.length > 0) runReports(app).reportUnsent(file.path, unsent.length);
		const lost = left.cells.filter(({number}) => !keys.has(number));
		const outputs = new Map<number, NewCell>();
		const ends: Promise<void>[] = [];
		for (const channel of sentCells(left, log)) {
			const placed = channel.numbers.map(number => keys.get(number));
			ends.push(
				...list.runner.takeUp(file, channel, placed).map(async ({index, result: ended}) => {
					const result = await ended;
					const number = channel.numbers[index];
					const source = channel.recording.cells[index]?.source ?? '';
					if (number !== undefined && result)
						outputs.set(number, {
							kind: 'code',
							source,
							outputs: result.outputs as readonly Output[],
							count: result.execution_count ?? null,
						});
				}),
			);
		}
		await Promise.all(ends);
		const kept = lost
			.flatMap(({number}) => outputs.get(number) ?? [])
			.filter(({outputs: each}) => each?.length);
		if (kept.length > 0) await keepElsewhere(file, kernel ?? '', kept);
		log.landed(lost.map(({number}) => number));
		return true;
	};

	for (const left of journal.runs.left()) {
		const {server, document} = left;
		if (document.kind !== 'notebook') continue;
		const file = {server, path: document.path};
		let isUnderWay = false;
		const tryIt = async (): Promise<void> => {
			if (isUnderWay || !isOpen(get(), server)) return;
			isUnderWay = true;
			try {
				if (await takeUp(left, file)) stop();
			} catch (error) {
				stop();
				notices(app).notify(
					'bad',
					`Outputs of ${label(file.path, 200)} are kept, but cannot be shown: ${String(error)}`,
				);
			}
			isUnderWay = false;
		};
		const stop = subscribe((state, old) => {
			if (state.servers !== old.servers || state.tried !== old.tried || state.links !== old.links)
				void tryIt();
		});
		void tryIt();
	}
};
