import {spawn, type ChildProcess} from 'node:child_process';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {callSsh} from './call.ts';
import {
	cancelArgs,
	checkArgs,
	exitArgs,
	forwardArgs,
	masterArgs,
	scriptArgs,
	type Far,
	type Target,
} from './client.ts';
import {faultOf, HostFault} from './fault.ts';
import {composeScript, hasBegun, readScript, type ScriptLines, type ScriptValues} from './script.ts';

const CHECK_MS = 5000;
const LOOK_EVERY_MS = 20;
/** Longest time for a shared connection to open, in ms: a ProxyJump connects several times. */
const OPEN_MS = 45_000;
const ERROR_LENGTH = 4000;

/** A script whose answer was lost. `mayHaveRun`: it may have had effects. */
export class LostAnswerError extends HostFault {
	readonly mayHaveRun: boolean;
	constructor(message: string, mayHaveRun: boolean) {
		super('away', message);
		this.mayHaveRun = mayHaveRun;
	}
}

const endProcess = (pid: number): void => {
	try {
		process.kill(pid);
	} catch {
		// The process has ended already.
	}
};

export type ScriptOptions = {
	/** Time limit for the script in ms; 60 s by default. */
	readonly limit?: number;
};

/**
 * The one connection to a host, shared by all calls. It is a process of OpenSSH's client, which
 * this service, an earlier one or the user has opened.
 */
export const createConnection = (target: Target, onBreak: () => void) => {
	const {host, control} = target;
	let master: ChildProcess | null = null;
	/** Process id of a client that a killed service left. */
	let heir: number | null = null;
	/** File with the process id of our own client, so that a later service ends it. */
	const ownFile = `${control}.pid`;
	let isOpen = false;
	let opening: Promise<void> | null = null;
	let queue: Promise<unknown> = Promise.resolve();
	let closed = false;
	/** Aborted when the connection breaks, since its calls would connect on their own. */
	let calls = new AbortController();

	const ownPid = (): string | null => {
		try {
			return readFileSync(ownFile, 'utf8');
		} catch {
			return null;
		}
	};
	const answers = async (): Promise<boolean> => {
		heir = null;
		if (!existsSync(control)) return false;
		const {code, err} = await callSsh(checkArgs(target), '', {limit: CHECK_MS});
		const [, pid] = /\(pid=(\d+)\)/.exec(err) ?? [];
		if (code === 0 && pid !== undefined && pid === ownPid()) heir = Number(pid);
		return code === 0;
	};

	const broke = (): void => {
		if (!isOpen) return;
		isOpen = false;
		calls.abort();
		calls = new AbortController();
		onBreak();
	};
	/** Starts a client and waits until it accepts calls. */
	const openMaster = async (): Promise<void> => {
		// A killed client leaves its socket, and the next one would not share its connection.
		rmSync(control, {force: true});
		const child = spawn('ssh', masterArgs(target), {stdio: ['ignore', 'ignore', 'pipe'], detached: true});
		let err = '';
		let isOver = false;
		child.stderr.on('data', (chunk: Buffer) => {
			err = (err + chunk.toString()).slice(-ERROR_LENGTH);
		});
		const end = (more = ''): void => {
			err += more;
			isOver = true;
			if (master !== child) return;
			master = null;
			broke();
		};
		child.on('error', error => end(error.message));
		child.on('exit', () => end());
		master = child;
		writeFileSync(ownFile, String(child.pid ?? ''), {mode: 0o600});
		const until = performance.now() + OPEN_MS;
		while (!isOver) {
			if (closed || performance.now() > until) {
				child.kill();
				throw faultOf(host, err, true);
			}
			if (await answers()) return;
			await sleep(LOOK_EVERY_MS);
		}
		throw faultOf(host, err);
	};
	const openOnce = async (): Promise<void> => {
		if (isOpen) {
			// The client of this process reports its end. Any other client must be asked.
			if (master !== null || (await answers())) return;
			broke();
		}
		if (!(await answers())) await openMaster();
		isOpen = true;
	};
	const open = (): Promise<void> => {
		if (closed) return Promise.reject(new HostFault('away', `The connection to ${host} is closed.`));
		if (opening) return opening;
		const running = openOnce().finally(() => {
			opening = null;
		});
		opening = running;
		return running;
	};

	/** Runs calls one after another: a server allows ten sessions on a connection. */
	const inTurn = <T>(what: () => Promise<T>): Promise<T> => {
		const done = queue.then(what, what);
		queue = done.catch(() => undefined);
		return done;
	};

	const runScript = async (
		names: readonly string[],
		values: ScriptValues,
		{limit}: ScriptOptions,
	): Promise<ScriptLines> => {
		await open();
		const {nonce, text} = composeScript(names, values);
		const {code, out, err, isCut} = await callSsh(scriptArgs(target), text, {
			signal: calls.signal,
			...(limit !== undefined && {limit}),
		});
		const lines = readScript(out, nonce);
		if (lines !== null) return lines;
		const mayHaveRun = hasBegun(out, nonce) || isCut || code === 255 || code === null;
		if (!mayHaveRun && code !== 255)
			throw new HostFault(
				'shell',
				`The login shell of ${host} starts another shell before it reads its input, for example by exec in ~/.bashrc. Run that command only in interactive shells: case $- in *i*) … ;; esac.`,
			);
		const fault = faultOf(host, err, isCut);
		throw fault.kind === 'away' ? new LostAnswerError(fault.message, mayHaveRun) : fault;
	};

	return {
		/** Opens the connection if needed. @throws {HostFault} */
		open,
		isOpen: (): boolean => isOpen,
		/** Runs several of our scripts as one on the host. @throws {HostFault} */
		script: (
			names: readonly string[],
			values: ScriptValues = {},
			options: ScriptOptions = {},
		): Promise<ScriptLines> => inTurn(() => runScript(names, values, options)),
		/** Forwards `near` to a socket that the host named, or to a port. @throws {HostFault} */
		async forward(near: string, far: Far): Promise<void> {
			rmSync(near, {force: true});
			const call = () => callSsh(forwardArgs(target, near, far), '', {limit: CHECK_MS, signal: calls.signal});
			let {code, err, isCut} = await call();
			if (code === 0 && !existsSync(near)) {
				// The client has this forward already, also from an earlier service, and does not
				// listen again.
				await callSsh(cancelArgs(target, near, far), '', {limit: CHECK_MS});
				({code, err, isCut} = await call());
			}
			if (code !== 0 || !existsSync(near)) throw faultOf(host, err, isCut);
		},
		/**
		 * Tests the whole route with a limit in ms, and drops a connection that does not respond.
		 */
		async test(limit: number): Promise<boolean> {
			if (!isOpen) return false;
			const {nonce, text} = composeScript(['nothing.sh'], {});
			const {out} = await callSsh(scriptArgs(target), text, {limit});
			if (readScript(out, nonce) !== null) return true;
			await this.drop();
			return false;
		},
		/** Ends the connection, even if the user opened it. The next call opens another. */
		async drop(): Promise<void> {
			if (master !== null) master.kill('SIGKILL');
			else await callSsh(exitArgs(target), '', {limit: CHECK_MS});
			rmSync(control, {force: true});
			broke();
		},
		/** Ends our own client. A connection that the user opened stays for the next service. */
		close(): void {
			closed = true;
			if (master !== null) master.kill();
			else if (heir !== null) endProcess(heir);
			rmSync(ownFile, {force: true});
		},
	};
};

export type Connection = ReturnType<typeof createConnection>;
