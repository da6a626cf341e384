import {fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {createClient} from '../../src/api/client.ts';
import {busyFor} from './busy.ts';

/** Time in ms for which each turn of the event loop is blocked, as while a frame is drawn. */
const TURN = 8;

export type Asked = {
	readonly bytes: number;
	readonly took: number;
	/** Reason why the answer did not arrive completely; null if it did. */
	readonly lost: string | null;
};

/**
 * Sends questions of 60 to 500 KB, one after the other, from a process whose event loop is busy.
 */
export const askMany = async (count: number): Promise<readonly Asked[]> => {
	const child = fork(fileURLToPath(new URL('./slow-head-process.ts', import.meta.url)));
	let isBusy = true;
	const turn = (): void => {
		busyFor(TURN);
		if (isBusy) setImmediate(turn);
	};
	try {
		const [port] = (await once(child, 'message')) as [number];
		const client = createClient({baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k-0123456789abcdef'});
		turn();
		const asked: Asked[] = [];
		for (let at = 0; at < count; at++) {
			const messages = [{role: 'user', content: 'x'.repeat(60_000 + Math.round((440_000 * at) / count))}];
			const began = performance.now();
			const reply = await client.chat('s', 'model_1', messages);
			const bytes = Buffer.byteLength(JSON.stringify({messages}));
			const lost = !reply.ok
				? reply.failure.message
				: (reply.value.problem?.message ??
					(reply.value.content === String(bytes)
						? null
						: `${reply.value.content} of ${bytes} bytes arrived`));
			asked.push({bytes, took: performance.now() - began, lost});
		}
		return asked;
	} finally {
		isBusy = false;
		child.kill();
	}
};
