import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {PEERS} from './install-peers.ts';

/**
 * Starts a program of this folder, from which Node finds the peers' packages. The input is sent to
 * stdin, because all users of the machine can read arguments.
 */
const start = (program: string, input: unknown) => {
	const child = spawn(process.execPath, [program], {cwd: PEERS, stdio: ['pipe', 'pipe', 'inherit']});
	child.stdin.on('error', () => {});
	child.stdin.write(`${JSON.stringify(input)}\n`);
	return child;
};

/**
 * Sends input to a program and returns its output, both as JSON. @throws {Error} if the program
 * fails.
 */
export const askPeer = async <Answer>(program: string, input: unknown): Promise<Answer> => {
	const child = start(program, input);
	child.stdin.end();
	const [answer, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
	if (code !== 0) throw new Error(`test/peers/${program} ended with ${code ?? signal}`);
	return JSON.parse(answer) as Answer;
};

export type PeerServer = AsyncDisposable & {readonly url: string; readonly child: ChildProcess};

/** Starts a server program, which ends with its stdin and prints its address on the first line. */
export const startPeerServer = async (program: string): Promise<PeerServer> => {
	const child = start(program, null);
	const ended = once(child, 'close');
	const url = await new Promise<string>((resolve, reject) => {
		let said = '';
		child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
			said += chunk;
			if (said.includes('\n')) resolve(said.trim());
		});
		child.once('close', code =>
			reject(new Error(`test/peers/${program} ended with ${code} before it served`)),
		);
	});
	return {
		url,
		child,
		async [Symbol.asyncDispose]() {
			child.stdin.end();
			await ended;
		},
	};
};
