// @module-tag long
// A server that reports a kernel as busy and at first publishes nothing on its channel, as Jupyter
// Server does while a kernel restarts.
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {expect, test} from 'vitest';
import {WebSocketServer} from 'ws';
import * as z from 'zod';
import {createAccess} from '../../../src/api/live/access.ts';
import {createLiveKernel} from '../../../src/api/live/kernel.ts';

const request = z.object({
	channel: z.string(),
	header: z.looseObject({msg_id: z.string(), msg_type: z.string()}),
});

test('a cell whose end was published before the channel was open ends once the kernel replies after it', async () => {
	const server = new WebSocketServer({port: 0, host: '127.0.0.1'});
	await once(server, 'listening');
	let isUp = false;
	server.on('connection', socket => {
		const send = (channel: string, type: string, content: object, parent: object): void =>
			socket.send(
				JSON.stringify({
					channel,
					header: {msg_id: '', msg_type: type, session: 'k'},
					parent_header: parent,
					content,
				}),
			);
		socket.on('message', (data: Buffer) => {
			const {channel, header} = request.parse(JSON.parse(data.toString()));
			if (header.msg_type === 'execute_request') {
				isUp = true;
				send('shell', 'execute_reply', {status: 'ok'}, header);
			} else if (isUp) {
				send('iopub', 'status', {execution_state: 'busy'}, header);
				send(channel, 'kernel_info_reply', {}, header);
				send('iopub', 'status', {execution_state: 'idle'}, header);
			}
		});
	});
	const {port} = server.address() as AddressInfo;
	const access = createAccess('t', async () => null);
	const kernel = createLiveKernel(
		'k',
		async () => ({status: 200, json: {execution_state: 'busy'}}),
		{access, authorities: undefined, identity: undefined, proxy: undefined, lookup: undefined},
		new URL(`http://127.0.0.1:${port}/`),
	);
	const cell = kernel.run('1', () => {});
	expect(await cell.ended).toEqual({kind: 'done'});
	kernel.close();
	for (const socket of server.clients) socket.terminate();
	server.close();
});
