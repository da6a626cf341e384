import type {LiveRunOptions} from '../api/client-types.ts';
import type {OutputSink} from '../kernel/output-buffer.ts';
import type {CellRun, RunEnd, RunEvent, RunListener} from './event.ts';
import type {DocumentKernel} from './open-kernel.ts';
import type {SentCells} from './sent-cells.ts';

/** Sink that holds outputs back until their destination is known. */
const createGate = (): {readonly taker: OutputSink; readonly open: (to: OutputSink | undefined) => void} => {
	let held: ((to: OutputSink) => void)[] | null = [];
	let to: OutputSink | undefined;
	const pass = (act: (to: OutputSink) => void): void => {
		if (held !== null) held.push(act);
		else if (to !== undefined) act(to);
	};
	return {
		taker: {
			addText: (...given) => pass(sink => sink.addText(...given)),
			add: (...given) => pass(sink => sink.add(...given)),
			update: (...given) => pass(sink => sink.update(...given)),
			clear: wait => pass(sink => sink.clear(wait)),
		},
		open(sink) {
			to = sink;
			const before = held ?? [];
			held = null;
			if (sink !== undefined) for (const act of before) act(sink);
		},
	};
};

type Resumed = {readonly run: CellRun; start(how: LiveRunOptions, listen: RunListener): void};

const failure = (message: string, advice: string): RunEnd => ({
	how: 'failed',
	result: null,
	failure: {kind: 'not-found', method: '', path: '', message, advice},
});
const GONE = failure(
	'The kernel of this run is gone: it was shut down, or its server stopped.',
	'Outputs that arrived before are printed or written. Run the file again.',
);
const UNSENT = failure(
	'This part of the run never reached the kernel: the command that started it ended too early.',
	'Run the file again.',
);

/**
 * Kernel for cells that an ended program has sent. Each `run` follows the next of these cells and
 * sends nothing. An aborted signal ends only the wait, and not the code. `numbers`: all cells in
 * the log.
 */
export const resumedKernel = (
	kernel: DocumentKernel,
	channels: readonly SentCells[],
	numbers: readonly number[],
): Pick<DocumentKernel, 'run'> => {
	const resumed = new Map<number, Resumed>();
	for (const {recording, numbers: sent} of channels) {
		const gates = sent.map(createGate);
		const onLinks: LiveRunOptions['onLink'][] = sent.map(() => undefined);
		const cells = recording.cells.map((cell, index) => {
			const {taker} = gates[index] ?? createGate();
			return {...cell, how: {taker, onLink: (isOpen: boolean) => onLinks[index]?.(isOpen)}};
		});
		const taken = kernel.takeUp({...recording, cells});
		for (const [index, number] of sent.entries()) {
			let listener: RunListener | null = null;
			let last: RunEvent | null = null;
			const run = taken.follow(index, event => {
				last = event;
				listener?.(event);
			});
			resumed.set(number, {
				run,
				start({taker, onLink}, listen) {
					listener = listen;
					listen({type: 'sent', way: 'link'});
					if (last !== null && last.type !== 'sent') listen(last);
					onLinks[index] = onLink;
					gates[index]?.open(taker);
				},
			});
		}
	}
	const waiting = numbers.values();
	return {
		run(_, {signal, ...how} = {}, listen = () => {}) {
			const {value: number} = waiting.next();
			const found = number === undefined ? undefined : resumed.get(number);
			if (found === undefined)
				return {ended: Promise.resolve(UNSENT), now: () => null, interrupt() {}, answer() {}};
			const {run} = found;
			found.start(how, listen);
			const left = Promise.withResolvers<RunEnd>();
			const leave = (): void => left.resolve({how: 'gave-up', result: run.now()});
			if (signal?.aborted) leave();
			else signal?.addEventListener('abort', leave, {once: true});
			// A resumed cell ends with `gave-up` only if its kernel no longer exists.
			const ended = run.ended.then(end => (end.how === 'gave-up' ? GONE : end));
			return {...run, ended: Promise.race([ended, left.promise]), interrupt() {}};
		},
	};
};
