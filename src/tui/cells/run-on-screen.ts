import type {LiveCell, InputRequest, LiveRecording} from '../../api/client-types.ts';
import type {CellRun, RunEnd, RunListener, CodeRoute} from '../../run/event.ts';
import {openKernel, sessionOf, type Document, type DocumentKernel} from '../../run/open-kernel.ts';
import type {State} from '../core/program.ts';
import type {Deps} from '../core/store/deps.ts';
import type {Cell} from './cell.ts';
import {createUpdates} from './frame-pace.ts';
import {kernelVariables} from './data/variables.ts';
import {codeHasRun} from './ports.ts';
import {serverLinks} from '../live/links.ts';
import {tableViewer} from '../tables/tables.ts';
import {serverList} from '../servers/servers.ts';

type Needs = Pick<Deps, 'client'> & {readonly get: () => State};

/** Callbacks of a screen for a running cell. */
type Shown = {
	readonly isShown: () => boolean;
	/** Shows the cell's outputs, once per update; `isLate`: the cell has already ended. */
	readonly show: (cell: LiveCell, isLate: boolean) => void;
	/** Shows the input field for a request of the code; null removes the field. */
	readonly ask: (question: InputRequest | null) => void;
	/** Called each time the cell is sent, also when it is sent again over another route. */
	readonly sent?: (way: CodeRoute) => void;
	/** Called when the kernel starts the cell. */
	readonly began?: () => void;
	/** Resolves when the cell may be sent. */
	readonly ready?: Promise<unknown> | undefined;
};

export type ScreenRun = CellRun & {
	/**
	 * Resolves to true once the kernel has the cell; to false if the cell is sent through the
	 * service or has ended.
	 */
	readonly handedOver: Promise<boolean>;
};

/** Opens the kernel of a document. `ready`: resolves when a cell may be sent. */
const kernelOnScreen = (
	{client, get}: Needs,
	server: string,
	document: Document,
	ready?: Promise<unknown>,
): DocumentKernel =>
	openKernel(
		{
			async live() {
				await ready;
				return serverLinks(get).linkOf(server, sessionOf(document));
			},
			client,
			isLocal: get().isLocal,
		},
		server,
		document,
	);

/** Resumes the cells of an ended program. The caller then follows each of them on the screen. */
export const takeUpOnScreen = (
	needs: Needs,
	server: string,
	document: Document,
	left: LiveRecording,
): ReturnType<DocumentKernel['takeUp']> => kernelOnScreen(needs, server, document).takeUp(left);

/** Follows a cell on the screen. `start` runs the cell or resumes it. */
export const runOnScreen = (
	{client, get}: Needs,
	server: string,
	document: Document,
	{isShown, show, ask, sent, began, ready}: Shown,
	start: (kernel: DocumentKernel, listen: RunListener) => CellRun,
): ScreenRun => {
	const session = sessionOf(document);
	const handedOver = Promise.withResolvers<boolean>();
	let cell: LiveCell | null = null;
	let isOver = false;
	const updates = createUpdates(
		() => cell,
		() => cell && show(cell, isOver),
		isShown,
	);
	const opened = kernelOnScreen({client, get}, server, document, ready);
	const run = start(opened, event => {
		switch (event.type) {
			case 'sent':
				// A cell may be sent twice: skips updates that are still pending from the first
				// time.
				cell = null;
				if (event.way === 'service') {
					handedOver.resolve(false);
					serverLinks(get).ranOverService(server, session);
				}
				return sent?.(event.way);
			case 'handed-over':
				return handedOver.resolve(true);
			case 'began':
				return began?.();
			case 'unheard':
				return serverLinks(get).linkFailed(server, session);
			case 'output':
				({cell} = event);
				return updates.changed(event.what);
			case 'asks':
				// Draws the outputs before the input field, because the prompt is among the
				// outputs.
				updates.now();
				return ask(event.question);
		}
	});
	const ended = run.ended.then(end => {
		handedOver.resolve(false);
		if (cell !== null) updates.now();
		isOver = true;
		return end;
	});
	return {...run, ended, handedOver: handedOver.promise};
};

/** State of a cell after its run. */
export const endedCell = (end: RunEnd): Pick<Cell, 'state'> & Partial<Pick<Cell, 'result' | 'failure'>> => {
	const result = end.how !== 'not-run' && end.result !== null ? {result: end.result} : {};
	switch (end.how) {
		case 'done':
		case 'raised':
		case 'kernel-ended':
			return {state: 'done', ...result};
		case 'failed':
			return {state: 'failed', ...result, failure: end.failure};
		case 'not-run':
			return {state: 'skipped'};
		default:
			return {state: end.how, ...result};
	}
};

/** Updates other screens after a run: the server may be gone, and files may have changed. */
export const afterRun = (get: () => State, server: string, {how}: RunEnd): void => {
	if (how === 'failed' || how === 'kernel-ended') serverList(get).doubtServers();
	if (how === 'not-run') return;
	tableViewer(get).checkTable();
	kernelVariables(get).refreshVariables();
	if (how !== 'failed') codeHasRun(get, server);
};
