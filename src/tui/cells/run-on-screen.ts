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
	/** Shows its outputs, as often as they are drawn; `isLate`: after its end. */
	readonly show: (cell: LiveCell, isLate: boolean) => void;
	/** Shows the input field for a question, or removes it. */
	readonly ask: (question: InputRequest | null) => void;
	/** Called when the cell is sent, or sent again. */
	readonly sent?: (way: CodeRoute) => void;
	/** Called when the kernel runs it. */
	readonly began?: () => void;
	/** Resolves when the cell may be sent. */
	readonly ready?: Promise<unknown> | undefined;
};

export type ScreenRun = CellRun & {
	/** True once the kernel has the cell. False: it takes another route, or has already ended. */
	readonly handedOver: Promise<boolean>;
};

/** `ready`: resolves when a cell may be sent. */
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

/** Resumes cells of an ended program. Each of them is then followed on the screen. */
export const takeUpOnScreen = (
	needs: Needs,
	server: string,
	document: Document,
	left: LiveRecording,
): ReturnType<DocumentKernel['takeUp']> => kernelOnScreen(needs, server, document).takeUp(left);

/** `start` runs the cell, or resumes it. */
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
				// Skips pending updates of a cell that came back unsent.
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
				// Draws first: the prompt is among the outputs.
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
