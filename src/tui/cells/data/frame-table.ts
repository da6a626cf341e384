import type {ColumnFacts, DataReply, DataRequest, OpenedTable} from '../../../api/kernel-data/kernel-data.ts';
import {BUSY, replyText} from '../../../api/kernel-data/reply-text.ts';
import type {EvaluateHow} from '../../../api/client-types.ts';
import {namedBins, type ColumnStats} from '../../../text/table/column-stats.ts';
import type {RemoteTable, SourceState} from '../../../text/table/remote.ts';
import type {Table} from '../../../text/table/table.ts';
import {keyFor} from '../../core/keys/live-keys.ts';

/** Maximum number of rows in a reply. The kernel sends fewer if the rows are long. */
export const PAGE = 200;
/** Maximum number of table fields that stay in memory. */
const MOST_FIELDS = 1_000_000;
/** Age of the last reply, in ms, after which moving the cursor checks if the object has changed. */
const FRESH_MS = 2000;

export type AskKernel = (request: DataRequest, how?: EvaluateHow) => Promise<DataReply>;

type Source = {
	readonly name: string;
	readonly ask: AskKernel;
	readonly reopen: () => Promise<Table | string>;
};

const statsOf = (facts: ColumnFacts): ColumnStats => ({
	kind: facts.type,
	reading:
		facts.type === 'numbers'
			? {kind: 'numbers', decimal: '.', factors: null, unit: '', currencies: []}
			: {kind: 'text', why: null},
	count: facts.count,
	missing: facts.missing,
	min: facts.min,
	max: facts.max,
	mean: facts.mean,
	distinct: facts.distinct,
	bars:
		facts.bins === null
			? facts.bars.map(([name, count]) => ({name, count}))
			: namedBins(facts.bins.min, facts.bins.max, facts.bins.counts),
});

/** Table of an object in a kernel. Its rows are requested when they are drawn. */
export const frameTable = (opened: OpenedTable, {name, ask, reopen}: Source): Table => {
	const {view, names, index, rows: total} = opened;
	const source = {};
	let onChange = (): void => {};
	let old: SourceState | null = null;
	let isWaiting = false;
	let isClosed = false;
	let works = 0;
	let repliedAt = performance.now();
	let isChecking = false;
	const how: EvaluateHow = {
		onWait(waits) {
			if (isWaiting === waits) return;
			isWaiting = waits;
			onChange();
		},
	};
	/** Sends a request about the view, and records whether the object has changed. */
	const request = async (asked: DataRequest): Promise<DataReply | null> => {
		if (isClosed) return null;
		const reply = await ask(asked, how);
		isWaiting = false;
		repliedAt = performance.now();
		const says = replyText(reply, name);
		old = says === null ? null : {says: `${says}: ${keyFor('tableRows.reload')} reads it again`, isOld: true};
		if (reply.kind === 'gone') old = {says: replyText(reply, name) ?? '', isOld: false};
		return says === null ? reply : null;
	};

	const check = async (): Promise<void> => {
		isChecking = true;
		await request({op: 'state', view});
		isChecking = false;
		onChange();
	};

	const ordered = (
		order: number | null,
		count: number,
		first: readonly (readonly string[])[],
	): RemoteTable => {
		const rows = new Map<number, readonly string[]>(first.map((row, at) => [at, row]));
		/** Rows that were drawn before they have arrived. */
		const missing = new Set<number>();
		let isAsking = false;
		const fetchRows = async (): Promise<void> => {
			if (missing.size === 0 || old !== null) {
				isAsking = false;
				return;
			}
			const from = Math.min(...missing);
			const to = Math.max(...missing) + 1;
			// If the cursor moves up, requests the page above the known rows.
			const start = rows.has(to) && !rows.has(from - 1) ? Math.max(0, to - PAGE) : from;
			missing.clear();
			const reply = await request({op: 'page', view, order, from: start, count: PAGE});
			isAsking = false;
			if (reply?.kind === 'page') {
				if (rows.size * names.length > MOST_FIELDS) rows.clear();
				for (const [at, row] of reply.rows.entries()) rows.set(reply.from + at, row);
			}
			onChange();
		};
		const row = (at: number): readonly string[] => {
			const found = rows.get(at);
			if (found !== undefined || at >= count) return found ?? [];
			missing.add(at);
			if (!isAsking) {
				isAsking = true;
				// A frame reads all its rows in one turn of the event loop. The request is sent
				// afterwards.
				queueMicrotask(() => void fetchRows());
			}
			return [];
		};
		return {
			names,
			index,
			count,
			complete: true,
			share: 1,
			isUnsure: false,
			otherHead: null,
			firstRows: first.length,
			typeOf: column => ({name: opened.types[column] ?? '', isNumber: opened.numbers[column] ?? false}),
			whole: {rows: total, columns: opened.columns, shownRows: total, shownColumns: names.length - index},
			advance() {},
			row,
			cell: (at, column) => row(at)[column] ?? '',
			raw: () => null,
			remote: {
				source,
				async arrange(sort, words, isWanted, tell) {
					const work = ++works;
					const wanted = sort && {column: sort.column, isDown: sort.direction === 'down'};
					for (;;) {
						const reply = await request({op: 'arrange', view, sort: wanted, words, work});
						if (!isWanted()) return null;
						if (reply?.kind === 'working') tell(reply.share);
						else {
							const arranged = reply?.kind === 'arranged' ? reply : null;
							const page =
								arranged && (await request({op: 'page', view, order: arranged.order, from: 0, count: PAGE}));
							return arranged && page?.kind === 'page'
								? ordered(arranged.order, arranged.count, page.rows)
								: null;
						}
					}
				},
				async stats(column) {
					const reply = await request({op: 'facts', view, order, column});
					onChange();
					return reply?.kind === 'facts' ? statsOf(reply) : null;
				},
				async chart({kind, column, against}) {
					const reply = await request({op: 'chart', view, order, chart: kind, column, against});
					onChange();
					if (reply?.kind !== 'chart') return old?.says ?? 'The table is closed';
					return reply.chart === 'none' ? reply.says : {chart: reply, code: reply.code};
				},
				async field(from, column) {
					const reply = await request({op: 'field', view, order, from, column});
					onChange();
					return reply?.kind === 'field' ? reply.text : null;
				},
				reload: reopen,
				check: () => void check(),
				checkIfOld() {
					if (!isChecking && !isWaiting && old === null && performance.now() - repliedAt > FRESH_MS)
						void check();
				},
				state: () => (isWaiting ? {says: BUSY, isOld: false} : old),
				watch(listener) {
					onChange = listener;
				},
				close() {
					if (isClosed) return;
					isClosed = true;
					onChange = () => {};
					void ask({op: 'close', view});
				},
			},
		};
	};
	return ordered(null, total, opened.page.rows);
};
