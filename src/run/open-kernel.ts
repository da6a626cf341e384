import type {Client, Live, LiveCell, LiveChange, LiveRecording, LiveSession} from '../api/client-types.ts';
import type {ExecutedCell} from '../contract/cells.ts';
import type {CellRun, RunEnd, RunHow, RunListener, CodeRoute} from './event.ts';
import {runOverLink, type Follow} from './over-link.ts';
import {runOverService} from './over-service.ts';

/**
 * Attempts to send a cell over the link. The first one fails if the server has replaced the kernel.
 */
const MOST_TRIES = 2;
/** Attempts to run code. The kernel drops it each time that a cell of another client fails. */
const MOST_ABORTED = 5;

/** Owner of the code. `kernel`: a name. */
export type Document =
	/** `command`: runs in the REPL's kernel. Its later code needs the variables of earlier code. */
	| {readonly kind: 'repl' | 'command'; readonly kernel: string}
	/** A notebook on the server. */
	| {readonly kind: 'notebook'; readonly path: string; readonly kernel: string}
	/** A script or notebook that a command runs once. `name`: shown in lists of sessions. */
	| {readonly kind: 'script'; readonly id: string; readonly name: string; readonly kernel: string};

const REPL_PATH = 'svc-tui-';
const SCRIPT_PATH = 'svc-tui-run-';

/** Jupyter session whose kernel runs the code of a document. */
export const sessionOf = (document: Document): LiveSession => {
	const {kind, kernel} = document;
	if (kind === 'notebook') {
		const {path} = document;
		// A browser uses the same path, and so the same kernel.
		return {path, type: 'notebook', name: path.slice(path.lastIndexOf('/') + 1), kernel};
	}
	// A path without a slash, so that the kernel starts in the server's own folder.
	if (kind === 'script')
		return {path: `${SCRIPT_PATH}${document.id}`, type: 'console', name: document.name, kernel};
	// The local service's engines use the same path.
	return {path: `${REPL_PATH}${kernel}`, type: 'console', name: `svc-tui ${kernel}`, kernel};
};

export type CodeRoutes = {
	/**
	 * Called before each attempt to send a cell. Resolves to null if the cell must go through the
	 * service.
	 */
	readonly live: () => Promise<Live | null>;
	readonly client: () => Promise<Pick<Client, 'runCode'>>;
	/** True if the service stops code when its request is closed. */
	readonly isLocal: boolean;
};

/** `with`: the other users of the kernel, as words. `why`: a sentence. */
export type Ownership =
	{readonly kind: 'own'} | {readonly kind: 'shared'; readonly with: readonly string[]; readonly why: string};

export type DocumentKernel = {
	/** Opens the document's session if necessary. */
	ownership(): Promise<Ownership>;
	/** Ends the kernel of a script. Does nothing for other documents. */
	close(): Promise<void>;
	run(source: string, how?: RunHow, listen?: RunListener): CellRun;
	/** Resumes cells that an earlier program has sent, without sending them again. */
	takeUp(left: LiveRecording): {
		/**
		 * Follows the cell with this index. Call it for all cells in the same turn of the event
		 * loop, because their output arrives after that.
		 */
		follow(index: number, listen: RunListener): CellRun;
	};
};

const THE_REPL = 'the REPL';

/** User of a kernel as words, by the path of its session. */
export const userOf = (path: string): string => {
	if (path.startsWith(SCRIPT_PATH)) return 'another command';
	return path.startsWith(REPL_PATH) ? THE_REPL : path;
};

/** `perform` receives the signal that `interrupt` aborts. */
const begin = (
	listen: RunListener,
	perform: (listen: RunListener, interrupted: AbortSignal) => Promise<RunEnd>,
): CellRun => {
	const stop = new AbortController();
	let cell: LiveCell | null = null;
	let result: ExecutedCell | null = null;
	const hear: RunListener = event => {
		if (event.type === 'sent') cell = null;
		if (event.type === 'output') ({cell} = event);
		listen(event);
	};
	return {
		ended: perform(hear, stop.signal).then(end => {
			if (end.how !== 'not-run') ({result} = end);
			return end;
		}),
		now: () => cell?.now() ?? result,
		interrupt() {
			// Repeatable, since code may swallow an interrupt.
			if (stop.signal.aborted) cell?.interrupt();
			stop.abort();
		},
		answer: text => cell?.answer(text),
	};
};

/** Runs the code of a document: over the live link if there is one, else through the service. */
export const openKernel = (
	{live, client, isLocal}: CodeRoutes,
	server: string,
	document: Document,
): DocumentKernel => {
	const {kind, kernel} = document;
	const session = sessionOf(document);
	/**
	 * True if later code needs the variables of earlier code, so that all code must take one route.
	 */
	const keepsWay = kind === 'command' || kind === 'script';
	/** Route of the document's code so far. */
	let way: CodeRoute | null = null;

	/** Runs code over the link. Null if it was not sent. */
	const overLink = async (
		source: string,
		{record, ...how}: RunHow,
		{listen, interrupted, leaving}: Follow,
	): Promise<RunEnd | null> => {
		let aborted = 0;
		for (let tries = way === 'link' || how.follows ? MOST_TRIES : 1; tries <= MOST_TRIES; tries++) {
			const link = await live();
			const isStopped = (): boolean => interrupted.aborted || leaving.aborted;
			if (link === null || isStopped()) return null;
			const recorded = await record?.();
			const end = await runOverLink(async onChange => link.run(source, session, onChange, recorded, how), {
				listen,
				interrupted,
				leaving,
			});
			if ('how' in end) {
				// The kernel dropped the cell because a cell of another client failed. Cells of a
				// queue are not repeated here: the queue repeats them in their order.
				const mayRepeat = how.follows === undefined && !isStopped() && ++aborted < MOST_ABORTED;
				if (end.how !== 'not-run' || end.why !== 'aborted' || !mayRepeat) return end;
				tries--;
				continue;
			}
			if (end.isSilent && !isStopped()) listen({type: 'unheard'});
			if (!end.isNew) return null;
		}
		return null;
	};

	return {
		async ownership() {
			const link = await live();
			const shared = (users: readonly string[], why: string): Ownership => ({
				kind: 'shared',
				with: [...new Set(users.map(userOf))],
				why,
			});
			const repl = [REPL_PATH];
			if (link === null) return shared(repl, 'Code runs through the service, which has one kernel per name.');
			const sharing = await link.kernels.sharing(session);
			if (!sharing.ok) return shared(repl, 'Its server did not open another kernel.');
			const {with: others, why} = sharing.value;
			return others.length === 0
				? {kind: 'own'}
				: shared(others, why ?? 'Its server did not give it a kernel of its own.');
		},
		async close() {
			if (kind === 'script') await (await live())?.kernels.end(session);
		},
		run: (source, {signal: leaving = new AbortController().signal, ...how} = {}, listen = () => {}) =>
			begin(listen, async (hear, interrupted) => {
				const stopped = AbortSignal.any([interrupted, leaving]);
				const sent =
					way === 'service' ? null : await overLink(source, how, {listen: hear, interrupted, leaving});
				const goes = (how: CodeRoute): void => {
					if (keepsWay) way = how;
				};
				if (sent !== null) {
					goes('link');
					return sent;
				}
				if (how.follows && !stopped.aborted) return {how: 'not-run', why: 'unsent'};
				const service = await client();
				if (stopped.aborted) return {how: 'interrupted', result: null};
				if (way === 'link') return {how: 'not-run', why: 'kernel-ended'};
				goes('service');
				hear({type: 'sent', way: 'service'});
				const request = {code: source, kernel_name: kernel};
				return runOverService(service, server, request, {signal: stopped, isLocal});
			}),
		takeUp(left) {
			const changes: LiveChange[] = left.cells.map(() => () => {});
			const resumed = (async () => {
				const link = await live();
				// `follow` was called for all cells by now, so their listeners receive the recorded
				// output.
				return link?.goOn(
					left,
					session,
					changes.map((_, index) => (what?: Parameters<LiveChange>[0]) => changes[index]?.(what)),
				);
			})();
			return {
				follow: (index, listen) =>
					begin(listen, async (hear, interrupted) => {
						let cell: LiveCell | undefined;
						const end = await runOverLink(
							async onChange => {
								changes[index] = onChange;
								cell = (await resumed)?.[index];
								return cell ?? null;
							},
							{listen: hear, interrupted, leaving: new AbortController().signal},
						);
						// The kernel has ended. Outputs that arrived before are still returned.
						return 'how' in end ? end : {how: 'gave-up', result: cell?.now() ?? null};
					}),
			};
		},
	};
};
