import {setTimeout as sleep} from 'node:timers/promises';
import type {Live, LiveCell, LiveQuestion} from '../../api/client-types.ts';
import type {Failure} from '../../api/failure.ts';
import {isOver, meaningOf} from '../../text/server-states.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import {END_OF_INPUT} from '../../contract/names.ts';
import {CommandError, usageError} from '../command-error.ts';
import type {Context, Service} from '../context.ts';
import {findServer} from '../find-server.ts';
import {createLivePrinter} from './printer.ts';
import type {LinkWatch} from '../../work/hands.ts';

/** Within the second that a signal leaves. */
const STOP_MS = 800;
/** Breaks shorter than this are not reported. */
const BROKEN_MS = 2000;
/** Interval between checks for a stopped server while the connection is lost, in ms. */
const LOOK_MS = 5000;
/** For what follows then. */
const AFTER_MS = 100;

/** `hasStopped`: true if the service lists the server as stopped. */
export type ServerLink = Live & {readonly hasStopped: () => Promise<boolean>};

/** The server's own Jupyter interface, where its address answers as one; else null, and code goes over the service. */
export const liveLink = async (
	context: Context,
	service: Service,
	name: string,
): Promise<ServerLink | null> => {
	try {
		const server = await findServer(context, service, name);
		if (['offline', 'over', 'coming'].includes(meaningOf(server.status))) return null;
		const linked = await service.client.live(server, new Set());
		if (!('live' in linked)) return null;
		return Object.assign(linked.live, {
			async hasStopped() {
				const list = await service.client.servers({signal: context.signal});
				const found = list.ok ? list.value.items.find(each => each.name === name) : undefined;
				return found !== undefined && isOver(found.status);
			},
		});
	} catch (error) {
		// The service says it again to whoever runs the code there.
		if (error instanceof CommandError) return null;
		throw error;
	}
};

/** How a cell ended. `stopped`: by a signal; `hasEnded` says whether it is known to be over. `look`: what it gave so far, also after its end. */
export type LiveRun =
	| {readonly kind: 'unsent'}
	| ({look(): ExecutedCell} & (
			| {readonly kind: 'done'}
			| {readonly kind: 'stopped'; readonly hasEnded: boolean}
			| {readonly kind: 'failed'; readonly failure: Failure}
	  ));

/** Asks for what the cell waits for; Ctrl-D is the end of its input. */
const createAnswers = (context: Context, ask: (question: LiveQuestion) => Promise<string>) => {
	let asked: LiveQuestion | null = null;
	return async (cell: LiveCell): Promise<void> => {
		const question = cell.asks();
		if (question === null || question === asked) return;
		asked = question;
		try {
			cell.answer(await ask(question));
		} catch {
			if (!context.signal.aborted) cell.answer(END_OF_INPUT);
		}
	};
};

/** Notices about the connection to the server. */
const LINK_WORDS = {
	lost: 'The connection to the server is lost, and its code may go on. Trying again for half an hour; Ctrl-C stops waiting.',
	back: 'The connection is back.',
} as const;

/**
 * Reports a connection that stays lost for a while, and its return. Closes it once the server has
 * stopped, instead of retrying for half an hour.
 */
export const watchLink = (
	{hasStopped, close}: ServerLink,
	tell: (words: string, isBroken: boolean) => void,
): LinkWatch => {
	let timer: NodeJS.Timeout | undefined;
	let isReported = false;
	const closeIfStopped = async (): Promise<void> => {
		const isOver = await hasStopped();
		if (!isReported) return;
		if (isOver) close(true);
		else timer = setTimeout(() => void closeIfStopped(), LOOK_MS);
	};
	return {
		onLink(isOpen) {
			clearTimeout(timer);
			if (!isOpen)
				timer = setTimeout(() => {
					isReported = true;
					tell(LINK_WORDS.lost, true);
					void closeIfStopped();
				}, BROKEN_MS);
			else if (isReported) {
				isReported = false;
				tell(LINK_WORDS.back, false);
			}
		},
		end() {
			isReported = false;
			clearTimeout(timer);
		},
	};
};

type RunEvents = {
	/** Called once the code is sent. Code sent from then on runs after it. */
	readonly onSent?: () => void;
	/** Prints a sentence about the connection. Default: on stderr, between the outputs. */
	readonly report?: ((text: string) => void) | undefined;
	/**
	 * Called instead of `report` when the connection has been lost for a while, and when it is
	 * back.
	 */
	readonly onBroken?: (isBroken: boolean) => void;
};

/** Runs code over the link and prints its output as it comes. A signal interrupts the code. */
export const runLive = async (
	context: Context,
	live: ServerLink,
	code: string,
	kernel: string,
	{onSent = () => {}, report, onBroken}: RunEvents = {},
): Promise<LiveRun> => {
	const {signal} = context;
	let cell: LiveCell | null = null;
	const interrupt = (): void => cell?.interrupt();
	const printer = createLivePrinter(context, interrupt);
	const say = report ?? printer.note;
	const answer = createAnswers(context, ({prompt, isSecret}) => printer.ask(prompt, isSecret));
	const link = watchLink(live, (words, isBroken) => (onBroken ? onBroken(isBroken) : say(words)));
	cell = await live.run(code, kernel, () => cell && void answer(cell), undefined, undefined, {
		answers: context.ask !== undefined,
		taker: printer.taker,
		onLink: link.onLink,
	});
	if (cell === null) return {kind: 'unsent'};
	onSent();
	const look = cell.now;
	const stopped = Promise.withResolvers<void>();
	const stop = (): void => {
		interrupt();
		void sleep(STOP_MS, undefined, {ref: false}).then(stopped.resolve);
	};
	if (signal.aborted) stop();
	signal.addEventListener('abort', stop, {once: true});
	try {
		const end = await Promise.race([cell.ended, stopped.promise]);
		await printer.end();
		if (signal.aborted) return {kind: 'stopped', look, hasEnded: end !== undefined && end.kind === 'done'};
		if (end === undefined) return {kind: 'stopped', look, hasEnded: false};
		return end.kind === 'unsent' ? {kind: 'unsent'} : {...end, look};
	} finally {
		link.end();
		signal.removeEventListener('abort', stop);
	}
};

/** @throws {CommandError} when the kernel could not set what the script is to find. */
export const proveFrame = ({outputs}: ExecutedCell): void => {
	if (outputs.some(output => output.output_type === 'error'))
		throw usageError(
			'Arguments and --env are for Python, and this kernel did not take them.',
			'Leave them out, or name a Python kernel with --kernel.',
		);
};

/** As {@link runLive}, between code that sets what a script finds around it and code that takes it back. */
export const framedLive = async (
	context: Context,
	live: ServerLink,
	code: string,
	kernel: string,
	frames: {readonly before: string; readonly after: string} | null,
): Promise<LiveRun> => {
	if (frames === null) return runLive(context, live, code, kernel);
	const aside = async (part: string): Promise<ExecutedCell | null> => {
		const cell = await live.run(part, kernel, () => {}, undefined, undefined, {answers: false, silent: true});
		return (await cell?.ended)?.kind === 'done' ? (cell?.now() ?? null) : null;
	};
	const set = await aside(frames.before);
	if (set === null) return {kind: 'unsent'};
	proveFrame(set);
	let back: Promise<unknown> | undefined;
	try {
		// The kernel does it once the code is over, whoever waits for it and even if nobody does any more.
		return await runLive(context, live, code, kernel, {
			onSent() {
				back = aside(frames.after);
			},
		});
	} finally {
		back ??= aside(frames.after);
		await (context.signal.aborted ? Promise.race([back, sleep(AFTER_MS)]) : back);
	}
};
