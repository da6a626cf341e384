import * as z from 'zod';
import type {LiveShell, OpenedShell, ShellEnd, ShellEvents, ShellSize} from '../client-types.ts';
import {jsonIn} from '../../text/record.ts';
import type {Rest} from './rest.ts';
import {createSocket, type SocketTarget} from './socket.ts';

/** Longest time for which a broken connection is reopened, in ms. */
const PATIENCE_MS = 30 * 60_000;

const made = z.object({name: z.string().regex(/^[\w-]{1,100}$/)});
const message = z.tuple([z.string()], z.unknown());

/** Opens a new Jupyter terminal on the server. Never rejects. */
export const openShell = async (
	rest: Rest,
	place: Omit<SocketTarget, 'address'>,
	base: URL,
	size: ShellSize,
	{onText, onBreak, onBack}: ShellEvents,
): Promise<OpenedShell> => {
	const answer = await rest('POST', 'terminals');
	if (answer === null) return {says: 'its address does not respond', mayPass: true};
	if (answer.status === 404 || answer.status === 405) return {says: 'it offers no terminals'};
	const {data} = made.safeParse(answer.json);
	if (answer.status >= 300 || data === undefined)
		return {says: `it did not open a terminal (${answer.status})`, mayPass: answer.status >= 500};
	const path = `terminals/${encodeURIComponent(data.name)}`;

	const ended = Promise.withResolvers<ShellEnd>();
	let now = size;
	let isOver = false;
	let wasBroken = false;
	const finish = (end: ShellEnd): void => {
		isOver = true;
		ended.resolve(end);
		socket.close();
	};
	const sendSize = (): void => void socket.send(JSON.stringify(['set_size', now.rows, now.columns, 0, 0]));
	const socket = createSocket(
		{...place, address: `${base.href.replace(/^http/, 'ws')}terminals/websocket/${data.name}`},
		PATIENCE_MS,
		{
			onOpen: sendSize,
			onText(text) {
				const [kind, content] = message.safeParse(jsonIn(text)).data ?? [];
				// Not in the `open` handler, because repeated output may arrive together with the
				// handshake.
				if (wasBroken) onBack();
				wasBroken = false;
				if (kind === 'stdout' && typeof content === 'string') onText(content);
				if (kind === 'disconnect') finish('exited');
			},
			onBreak() {
				if (isOver) return false;
				wasBroken = true;
				onBreak();
				return true;
			},
			onGone() {
				// If the server responds, it has ended the shell. Otherwise the state of the shell
				// is unknown.
				void rest('GET', path).then(known => finish(known === null ? 'lost' : 'gone'));
			},
			// The server replays the earlier output as a single message.
			onTooLarge: () => finish('too-much'),
		},
	);
	const shell: LiveShell = {
		ended: ended.promise,
		type: text => socket.send(JSON.stringify(['stdin', text])),
		resize(changed) {
			now = changed;
			sendSize();
		},
		async close() {
			finish('exited');
			await rest('DELETE', path);
		},
	};
	if (await socket.open()) return {shell};
	await shell.close();
	return {says: 'its terminal cannot be reached', mayPass: true};
};
