import {Socket} from 'node:net';
import {parentPort, Worker} from 'node:worker_threads';
import {INTERRUPT_FD} from './protocol.ts';

// Slots of the memory shared by the main thread and the helper thread.
const SIGNAL = 0; // the number of the signal that waits for Python, or 0
const CLAIM = 1; // who handles the interrupt
const CURRENT = 2; // id of the running request, 0 when idle
const WANTED = 3; // id of the request to interrupt, which may not have begun yet
const SLOTS = 4;

const SIGINT = 2;
const UNCLAIMED = 0;
const BY_EVENT_LOOP = 1;
const BY_SIGNAL = 2;
const CLAIM_TIME_MS = 30;
const LOOK_AGAIN_MS = 10;

const interrupt = (flags: Int32Array, id: number): void => {
	Atomics.store(flags, WANTED, id);
	if (Atomics.load(flags, CURRENT) !== id) return;
	Atomics.store(flags, CLAIM, UNCLAIMED);
	parentPort?.postMessage('interrupt');
	// Code that awaits leaves the event loop free, which then claims the interrupt and cancels tasks. Otherwise Python is busy and looks
	// for a signal. One of the two only, or the second would hit the next cell.
	Atomics.wait(flags, CLAIM, UNCLAIMED, CLAIM_TIME_MS);
	if (
		Atomics.compareExchange(flags, CLAIM, UNCLAIMED, BY_SIGNAL) !== UNCLAIMED ||
		Atomics.load(flags, CURRENT) !== id
	)
		return;
	Atomics.store(flags, SIGNAL, SIGINT);
	Atomics.notify(flags, SIGNAL);
	// For the case that the event loop was only slow, and that Python now waits and looks at no signal.
	parentPort?.postMessage('signalled');
};

/** The helper thread: passes interrupts on, and ends the process when the parent is gone, even while Python is in an endless loop. */
export const watchParent = (memory: SharedArrayBuffer): void => {
	const flags = new Int32Array(memory);
	let rest = Buffer.alloc(0);
	const socket = new Socket({fd: INTERRUPT_FD});
	socket.on('data', chunk => {
		rest = Buffer.concat([rest, chunk]);
		while (rest.length >= 4) {
			const id = rest.readInt32LE();
			rest = rest.subarray(4);
			interrupt(flags, id);
		}
	});
	socket.on('error', () => undefined);
	socket.on('close', () => process.kill(process.pid, 'SIGKILL'));
	parentPort?.postMessage('ready');
};

export type Interrupts = {
	/** For Pyodide's `setInterruptBuffer`, which reads the first element. */
	readonly buffer: {0: number};
	/** From here on interrupts for this request count; older ones are forgotten. */
	begin(id: number): void;
	end(): void;
	/** For a signal that came at a moment when Python must not be interrupted. */
	again(): void;
	/** Blocks the thread without using the processor; returns early on an interrupt. */
	wait(milliseconds: number): void;
};

/** Starts the helper thread. `cancel` is called when an interrupt finds the event loop free; it tells whether there was something to cancel. */
export const startInterrupts = async (entry: URL, cancel: () => boolean): Promise<Interrupts> => {
	const memory = new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT);
	const flags = new Int32Array(memory);
	const helper = new Worker(entry, {workerData: memory});
	await new Promise((resolve, reject) => {
		helper.once('message', resolve);
		helper.once('error', reject);
	});
	helper.unref();
	const claim = (): boolean => {
		const claimed = Atomics.compareExchange(flags, CLAIM, UNCLAIMED, BY_EVENT_LOOP) === UNCLAIMED;
		if (claimed) Atomics.notify(flags, CLAIM);
		return claimed;
	};
	const again = (): void => {
		Atomics.store(flags, SIGNAL, SIGINT);
		// Python may come to wait before it has looked.
		setTimeout(takeBack, LOOK_AGAIN_MS);
	};
	const deliver = (): void => {
		// When nothing waits, the code has only just been handed over, or is about to go on, and Python looks for a signal then.
		if (Atomics.load(flags, CURRENT) !== 0 && !cancel()) again();
	};
	const takeBack = (): void => {
		if (Atomics.exchange(flags, SIGNAL, 0) !== 0) deliver();
	};
	helper.on('message', message => {
		if (message === 'signalled') takeBack();
		else if (claim()) deliver();
	});
	return {
		// No typed array: Pyodide reads its buffer and then writes 0, and an interrupt between the two is lost (seen in one of 25 busy loops).
		buffer: {
			get 0() {
				return Atomics.load(flags, SIGNAL) === 0 ? 0 : Atomics.exchange(flags, SIGNAL, 0);
			},
			set 0(_zero) {},
		},
		begin(id) {
			Atomics.store(flags, CURRENT, id);
			Atomics.store(flags, SIGNAL, Atomics.load(flags, WANTED) === id ? SIGINT : 0);
		},
		end() {
			Atomics.store(flags, CURRENT, 0);
			Atomics.store(flags, SIGNAL, 0);
		},
		again,
		wait: milliseconds => void Atomics.wait(flags, SIGNAL, 0, milliseconds),
	};
};
