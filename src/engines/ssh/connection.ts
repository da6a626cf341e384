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
/**
 * Time limit for opening a shared connection, in ms. Long, because ProxyJump connects several
 * times.
 */
const OPEN_MS = 45_000;
const ERROR_LENGTH = 4000;

/** The result of a script was lost. `mayHaveRun`: true if the script may have had effects. */
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
		// The process has already ended.
	}
};

export type ScriptOptions = {
	/** Time limit for the script in ms. Default: 60 s. */
	readonly limit?: number;
};

/**
 * Shared connection to a host, used by all calls. It is a process of OpenSSH's client that this
 * service, an earlier service or the user started.
 */
export const createConnection = (target: Target, onBreak: () => void) => {
	const {host, control} = target;
	let master: ChildProcess | null = null;
	/** Process id of a client that an earlier, killed service started. Null if there is none. */
	let heir: number | null = null;
	/** File that contains the process id of our own client, so that a later service can end it. */
	const ownFile = `${control}.pid`;
	let isOpen = false;
	let opening: Promise<void> | null = null;
	let queue: Promise<unknown> = Promise.resolve();
	let closed = false;
	/**
	 * Aborted when the connection breaks, because running `ssh` calls would otherwise connect on
	 * their own.
	 */
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
	/** Starts an OpenSSH client and waits until it accepts calls. */
	const openMaster = async (): Promise<void> => {
		// A killed client leaves its socket behind, and a new client would then not share its
		// connection.
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
			// The end of a client that this process started is noticed. For any other client, `ssh`
			// must check.
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

	/**
	 * Runs calls one at a time, because a server allows only ten sessions per connection by
	 * default.
	 */
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
		/** Opens the connection if needed. @throws {HostFault} if that fails. */
		open,
		isOpen: (): boolean => isOpen,
		/**
		 * Runs several scripts on the host as one script.
		 * @throws {HostFault} if the connection or the script fails.
		 */
		script: (
			names: readonly string[],
			values: ScriptValues = {},
			options: ScriptOptions = {},
		): Promise<ScriptLines> => inTurn(() => runScript(names, values, options)),
		/**
		 * Forwards the local socket `near` to a socket that the host reported, or to a port.
		 * @throws {HostFault} if that fails.
		 */
		async forward(near: string, far: Far): Promise<void> {
			rmSync(near, {force: true});
			const call = () => callSsh(forwardArgs(target, near, far), '', {limit: CHECK_MS, signal: calls.signal});
			let {code, err, isCut} = await call();
			if (code === 0 && !existsSync(near)) {
				// The client already has this forwarding, possibly from an earlier service, so it
				// does not create the socket again.
				await callSsh(cancelArgs(target, near, far), '', {limit: CHECK_MS});
				({code, err, isCut} = await call());
			}
			if (code !== 0 || !existsSync(near)) throw faultOf(host, err, isCut);
		},
		/**
		 * Tests the whole connection with a time limit in ms. Drops a connection that does not
		 * respond. Returns true if it responds.
		 */
		async test(limit: number): Promise<boolean> {
			if (!isOpen) return false;
			const {nonce, text} = composeScript(['nothing.sh'], {});
			const {out} = await callSsh(scriptArgs(target), text, {limit});
			if (readScript(out, nonce) !== null) return true;
			await this.drop();
			return false;
		},
		/**
		 * Ends the connection, even if the user started its client. The next call opens a new
		 * connection.
		 */
		async drop(): Promise<void> {
			if (master !== null) master.kill('SIGKILL');
			else await callSsh(exitArgs(target), '', {limit: CHECK_MS});
			rmSync(control, {force: true});
			broke();
		},
		/** Ends our own client. A connection whose client the user started stays open. */
		close(): void {
			closed = true;
			if (master !== null) master.kill();
			else if (heir !== null) endProcess(heir);
			rmSync(ownFile, {force: true});
		},
	};
};

export type Connection = ReturnType<typeof createConnection>;
