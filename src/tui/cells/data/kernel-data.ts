import type {DataReply, DataRequest, Target} from '../../../api/kernel-data/kernel-data.ts';
import {BUSY, replyText} from '../../../api/kernel-data/reply-text.ts';
import type {EvaluateHow} from '../../../api/client-types.ts';
import type {ExecutedCell} from '../../../contract/cells.ts';
import {sessionOf, type Document} from '../../../run/open-kernel.ts';
import type {Table} from '../../../text/table/table.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';
import {route} from '../../core/store/route.ts';
import {serverLinks} from '../../live/links.ts';
import {tableViewer} from '../../tables/tables.ts';
import {frameTable, PAGE, type AskKernel} from './frame-table.ts';
import {shownVariable} from './shown-variable.ts';

/** A cell whose result is to be opened. */
export type ShownResult = {
	/** Name of the cell, used for a result that is not a variable. */
	readonly name: string;
	readonly source: string;
	readonly result: ExecutedCell | null;
	/** Table in the cell's outputs, or a sentence if there is none. */
	readonly printed: Table | string;
};

/** Objects in the kernel of a document. */
export type KernelData = {
	/**
	 * Opens the result of a cell as a table: the object itself if the kernel still has it, else the
	 * printed table.
	 */
	openResult(server: string, document: Document, shown: ShownResult): string | void;
	/**
	 * Opens a variable as a table, or as text if its value is not a table. `whenGone` is called if
	 * the variable was deleted.
	 */
	openVariable(server: string, document: Document, name: string, whenGone: () => void): void;
	/** Sends a request to the document's kernel. Null without a live link. */
	askKernel(
		server: string,
		document: Document,
		request: DataRequest,
		how?: EvaluateHow,
	): Promise<DataReply | null>;
};

export const kernelData = part('kernelData', ({get}: App): KernelData => {
	const askKernel: KernelData['askKernel'] = async (server, document, request, how) => {
		const session = sessionOf(document);
		const live = await serverLinks(get).linkOf(server, session);
		if (live === null) return null;
		// Loaded late, because the first frame must not wait for the schema library.
		const {askData} = await import('../../../api/kernel-data/kernel-data.ts');
		return (await askData(live, session, request, how)).reply;
	};
	/** Opens an object in the kernel as a table. Null without a live link. */
	const open = async (
		server: string,
		document: Document,
		target: Target,
		called: string,
		how?: EvaluateHow,
	): Promise<Table | DataReply | null> => {
		const reply = await askKernel(server, document, {op: 'open', target, count: PAGE}, how);
		if (reply?.kind !== 'table') return reply;
		const name = reply.name ?? called;
		const ask: AskKernel = async (request, more) =>
			(await askKernel(server, document, request, more)) ?? {kind: 'lost'};
		return frameTable(reply, {
			name,
			ask,
			async reopen() {
				const again = await open(server, document, target, called);
				if (again === null) return replyText({kind: 'lost'}, name) ?? '';
				return 'kind' in again ? (replyText(again, name) ?? '') : again;
			},
		});
	};
	return {
		askKernel,
		openVariable(server, document, name, whenGone) {
			tableViewer(get).openTableLater(name, async ({signal, wait}) => {
				const how: EvaluateHow = {signal, onWait: waits => wait(waits ? BUSY : null)};
				const found = await open(server, document, {name}, name, how);
				if (found !== null && !('kind' in found)) return found;
				const reply =
					found?.kind === 'none'
						? await askKernel(server, document, {op: 'text', target: {name}}, how)
						: found;
				if (signal.aborted) return null;
				if (reply?.kind === 'gone') whenGone();
				if (reply?.kind !== 'text') return replyText(reply ?? {kind: 'lost'}, name);
				const {type, text, isPart} = reply;
				return () => route(get).openDialog({kind: 'variable-text', name, type, text, isPart});
			});
		},
		openResult(server, document, {name, source, result, printed}) {
			const number = result?.execution_count ?? undefined;
			const shownName = shownVariable(source);
			const hasResult = result?.outputs.some(each => each.output_type === 'execute_result') ?? false;
			const target: Target = {
				...(hasResult && number !== undefined && {number, source}),
				...(shownName !== null && {name: shownName}),
			};
			if (target.number === undefined && target.name === undefined) {
				if (typeof printed === 'string') return printed;
				return tableViewer(get).openTable(name, printed);
			}
			tableViewer(get).openTableLater(shownName ?? name, async ({signal, wait}) => {
				const found = await open(server, document, target, name, {
					signal,
					onWait: waits => wait(waits ? BUSY : null),
				});
				if (found !== null && !('kind' in found)) return found;
				if (found?.kind === 'left') return null;
				if (typeof printed === 'string')
					return found === null || found.kind === 'unknown'
						? printed
						: (replyText(found, shownName ?? name) ?? printed);
				const why = found === null ? null : replyText(found, shownName ?? name);
				if (why !== null) notices(get).notify('info', `${why}. These are the printed rows`);
				return printed;
			});
		},
	};
});
