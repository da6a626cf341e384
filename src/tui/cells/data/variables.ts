import type {Variable} from '../../../api/kernel-data/kernel-data.ts';
import {BUSY, replyText, variablesIn} from '../../../api/kernel-data/reply-text.ts';
import type {Document} from '../../../run/open-kernel.ts';
import {createEditor, type Editor} from '../../../text/editor/editor.ts';
import {label} from '../../../text/safe.ts';
import {part, type App} from '../../core/app.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {notices} from '../../core/store/notices.ts';
import {route} from '../../core/store/route.ts';
import {noLinkReason} from '../../live/link-state.ts';
import {documentLink} from '../kernels/owner.ts';
import {kernelData} from './kernel-data.ts';

export type {Variable};

/** Variables in the kernel of a document, as the screen lists them. */
export type VariableList = {
	readonly server: string;
	readonly document: Document;
	/** Largest first. Null until they have arrived. */
	readonly rows: readonly Variable[] | null;
	/** Number of variables in the kernel. `rows` may hold only the largest. */
	readonly total: number;
	/** Reason why the rows are old or missing; null if they are current. */
	readonly says: string | null;
	readonly filter: Editor;
	/** `cursor`: name of the selected variable. `at`: its index, used if the variable is gone. */
	readonly cursor: string | null;
	readonly at: number;
};

export type VariablesState = {readonly variableList: VariableList | null};

export type Variables = {
	/** Opens the list of the variables in a document's kernel. */
	showVariables(server: string, document: Document): void;
	changeVariables(change: Partial<Pick<VariableList, 'filter' | 'cursor' | 'at'>>): void;
	/** Reloads the open list. Called after code has run. */
	refreshVariables(): void;
	deleteVariable(server: string, document: Document, variable: Pick<Variable, 'name' | 'mark'>): void;
	closeVariables(): void;
};

const matching = lastResult((rows: readonly Variable[], words: string): readonly Variable[] => {
	const wanted = words.toLowerCase();
	return rows.filter(({name, type}) => `${name}\n${type}`.toLowerCase().includes(wanted));
});

/** Variables that pass the filter. */
export const shownVariables = ({rows, filter}: VariableList): readonly Variable[] =>
	filter.text === '' ? (rows ?? []) : matching(rows ?? [], filter.text);

/** Index of the cursor among the shown variables. */
export const cursorAt = (list: VariableList): number => {
	const shown = shownVariables(list);
	const found = shown.findIndex(({name}) => name === list.cursor);
	return found === -1 ? Math.max(0, Math.min(list.at, shown.length - 1)) : found;
};

export const kernelVariables = part(
	'kernelVariables',
	({get, set}: App): Variables => {
		let asking: AbortController | null = null;
		const change = (next: Partial<VariableList>): void => {
			const {variableList: list} = get();
			if (list !== null) set({variableList: {...list, ...next}});
		};
		const load = async (server: string, document: Document): Promise<void> => {
			asking?.abort();
			const mine = new AbortController();
			asking = mine;
			const reply = await kernelData(get).askKernel(
				server,
				document,
				{op: 'variables'},
				{
					signal: mine.signal,
					onWait(waits) {
						if (asking === mine) change({says: waits ? BUSY : null});
					},
				},
			);
			if (asking !== mine) return;
			asking = null;
			if (reply === null) {
				const why = noLinkReason(documentLink(get(), server, document));
				change({says: `Variables need the live link: ${why}`});
				return;
			}
			const found = variablesIn(reply);
			change(typeof found === 'string' ? {says: found} : {...found, says: null});
		};
		return {
			showVariables(server, document) {
				set({
					variableList: {
						server,
						document,
						rows: null,
						total: 0,
						says: null,
						filter: createEditor(),
						cursor: null,
						at: 0,
					},
				});
				route(get).openDialog({kind: 'variables'});
				void load(server, document);
			},
			changeVariables: change,
			refreshVariables() {
				const {variableList: list} = get();
				if (list !== null) void load(list.server, list.document);
			},
			deleteVariable(server, document, {name, mark}) {
				const called = label(name, 40);
				const tell = notices(get).notify;
				void kernelData(get)
					.askKernel(server, document, {op: 'delete', name, mark})
					.then(reply => {
						if (reply?.kind === 'done') tell('info', `${called} is deleted`);
						else if (reply?.kind === 'changed')
							tell('info', `${called} is a different object now: it was not deleted`);
						else if (reply?.kind === 'lost')
							tell('bad', `The kernel did not reply: ${called} may or may not be deleted`);
						else tell('bad', replyText(reply ?? {kind: 'lost'}, name) ?? `${called} was not deleted`);
						kernelVariables(get).refreshVariables();
					});
			},
			closeVariables() {
				asking?.abort();
				asking = null;
				set({variableList: null});
				route(get).closeDialog();
			},
		};
	},
	(): VariablesState => ({variableList: null}),
);
