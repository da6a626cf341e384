// A cell is resumed by another process, which reads the messages that an earlier process stored.
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, test} from 'vitest';
import {WebSocketServer} from 'ws';
import {createAccess} from '../../../src/api/live/access.ts';
import {createLiveKernel} from '../../../src/api/live/kernel.ts';
import {messageLine} from '../../../src/api/live/record-lines.ts';

const REQUEST = 'cell';
const PROBE = 'probe';
const unkept = {begin() {}, log: {add() {}}};
const BUSY = {execution_state: 'busy'};
const IDLE = {execution_state: 'idle'};

/**
 * Outputs of a cell that received these messages. Each message has the kernel's number, its type,
 * content and parent.
 */
const outputsOf = async (
	messages: readonly (readonly [number: number, type: string, content: object, parent?: string])[],
) => {
	const lines = messages.map(([number, type, content, parent = REQUEST], index) =>
		messageLine(
			index + 20,
			JSON.stringify({
				header: {msg_id: `session_42_${number}`, msg_type: type, session: 'session'},
				parent_header: {msg_id: parent, msg_type: '', session: ''},
				content,
			}),
		),
	);
	const access = createAccess('t', async () => null);
	const place = {access, authorities: undefined, identity: undefined, proxy: undefined, lookup: undefined};
	const server = new WebSocketServer({port: 0, host: '127.0.0.1'});
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	const base = new URL(`http://127.0.0.1:${port}/`);
	const kernel = createLiveKernel('k', async () => null, place, base, 'session');
	const cells = [{request: REQUEST, source: '', record: unkept}];
	const [cell] = kernel.goOn({kernel: 'k', session: 'session', came: 0, cells, lines}, [() => {}]);
	await cell?.ended;
	kernel.close();
	for (const socket of server.clients) socket.terminate();
	server.close();
	return cell?.now().outputs.map(({text}) => text);
};

test('output from before a cell, and not stored, is not a gap', async () => {
	// The reply to a request before the cell arrives later than the messages published after it.
	expect(
		await outputsOf([
			[12, 'kernel_info_reply', {}, PROBE],
			[17, 'status', BUSY],
			[18, 'stream', {name: 'stdout', text: 'all\n'}],
			[20, 'status', IDLE],
			[19, 'execute_reply', {}],
		]),
	).toEqual(['all\n']);
});

test('a gap between the messages of the cell is reported', async () => {
	expect(
		await outputsOf([
			[17, 'status', BUSY],
			[18, 'stream', {name: 'stdout', text: 'some\n'}],
			[23, 'execute_reply', {}],
			[24, 'status', IDLE],
		]),
	).toEqual(['some\n', expect.stringMatching(/ 4 messages from the kernel were lost/)]);
});

/**
 * Resumes a cell whose channel breaks twice before it opens, until it ends. `status`: HTTP status
 * of the request for its kernel.
 */
const endAfterBreaks = async (status: number | null) => {
	const access = createAccess('t', async () => null);
	const place = {access, authorities: undefined, identity: undefined, proxy: undefined, lookup: undefined};
	const server = new WebSocketServer({noServer: true});
	let breaks = 0;
	const http = createServer().on('upgrade', (request, socket, head) => {
		if (breaks++ < 2) return socket.destroy();
		server.handleUpgrade(request, socket, head, client => {
			for (const [number, type, content] of [
				[1, 'status', BUSY],
				[2, 'execute_reply', {}],
				[3, 'status', IDLE],
			] as const)
				client.send(
					JSON.stringify({
						header: {msg_id: `session_42_${number}`, msg_type: type, session: 'session'},
						parent_header: {msg_id: REQUEST, msg_type: '', session: ''},
						content,
					}),
				);
		});
	});
	http.listen(0, '127.0.0.1');
	await once(http, 'listening');
	const {port} = http.address() as AddressInfo;
	const rest = async () => (status === null ? null : {status, json: {}});
	const kernel = createLiveKernel('k', rest, place, new URL(`http://127.0.0.1:${port}/`), 'session');
	const cells = [{request: REQUEST, source: '', record: unkept}];
	const [cell] = kernel.goOn({kernel: 'k', session: 'session', came: 0, cells, lines: []}, [() => {}]);
	const end = await cell?.ended;
	kernel.close();
	for (const socket of server.clients) socket.terminate();
	http.close();
	return end;
};

test('a resumed cell outlasts a connection that is broken, but not its kernel', async () => {
	expect(await endAfterBreaks(null)).toEqual({kind: 'done'});
	expect(await endAfterBreaks(404)).toEqual({kind: 'unsent'});
});
