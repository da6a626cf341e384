import {Socket} from 'node:net';
import {parentPort, Worker} from 'node:worker_threads';
import {INTERRUPT_FD} from './protocol.ts';

// Indexes in the memory shared by the main thread and the helper thread.
const SIGNAL = 0; // Pending signal number for Python, or 0.
const CLAIM = 1; // Handler of the interrupt: UNCLAIMED, BY_EVENT_LOOP or BY_SIGNAL.
const CURRENT = 2; // Id of the running request, 0 if idle.
const WANTED = 3; // Id of the request to interrupt. It may not have started yet.
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
	// While code awaits, the event loop is free, claims the interrupt and cancels tasks. Busy code
	// instead checks for a signal. Only one of them may act, because the second would interrupt the
	// next cell.
	Atomics.wait(flags, CLAIM, UNCLAIMED, CLAIM_TIME_MS);
	if (
		Atomics.compareExchange(flags, CLAIM, UNCLAIMED, BY_SIGNAL) !== UNCLAIMED ||
		Atomics.load(flags, CURRENT) !== id
	)
		return;
	Atomics.store(flags, SIGNAL, SIGINT);
	Atomics.notify(flags, SIGNAL);
	// Needed if the event loop was only slow and Python is now waiting, so that it does not check
	// for signals.
	parentPort?.postMessage('signalled');
};

/**
 * Forwards interrupts. Kills the process once the parent process has ended, even during an endless
 * loop.
 */
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
	/** Buffer for Pyodide's `setInterruptBuffer`, which reads the first element. */
	readonly buffer: {0: number};
	/**
	 * Applies interrupts for this request from now on. Interrupts for earlier requests are dropped.
	 */
	begin(id: number): void;
	end(): void;
	/** Postpones a signal that arrived while Python must not be interrupted. */
	again(): void;
	/** Blocks the thread without using CPU time. An interrupt ends the wait early. */
	wait(milliseconds: number): void;
};

/**
 * Starts the helper thread. `cancel` is called if the event loop is free. It returns true if it
 * cancelled a task.
 */
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
		// Python may start to wait before it has checked for the signal.
		setTimeout(redeliver, LOOK_AGAIN_MS);
	};
	const deliver = (): void => {
		// If there is no task, the code is just starting or resuming, and will check for a signal.
		if (Atomics.load(flags, CURRENT) !== 0 && !cancel()) again();
	};
	const redeliver = (): void => {
		if (Atomics.exchange(flags, SIGNAL, 0) !== 0) deliver();
	};
	helper.on('message', message => {
		if (message === 'signalled') redeliver();
		else if (claim()) deliver();
	});
	return {
		// Not a typed array: Pyodide reads an element and then writes 0, which loses an interrupt
		// that arrives in between (seen in one of 25 busy loops).
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
