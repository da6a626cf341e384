import {expect, test} from 'vitest';
import type {CellEnd, LiveKernel} from '../../src/engines/live-kernel.ts';
import {createEmulatedKernel} from '../../src/service/jupyter-emulator/emulated-kernel.ts';
import {parseIncoming, type Channel} from '../../src/service/jupyter-emulator/wire.ts';
import {testRows} from '../support/rows.ts';

/** A kernel with a client. The test decides when its cells end. */
const connected = () => {
	const run: {readonly code: string; readonly end: () => void}[] = [];
	const end: CellEnd = {execution_count: 1, error: undefined};
	const live: LiveKernel = {
		python: '3.14.0',
		pid: () => null,
		watch: () => () => undefined,
		run: async ({code}) => new Promise(resolve => run.push({code, end: () => resolve(end)})),
		ask: async () => null,
		input: () => undefined,
		interrupt: () => run.at(-1)?.end(),
		restart: async () => undefined,
	};
	const replies: {readonly type: string; readonly content: {readonly [name: string]: unknown}}[] = [];
	const kernel = createEmulatedKernel(live, () => undefined);
	const client = kernel.connect(
		'session',
		{
			form: 'text',
			waiting: () => 0,
			send(data, onSent) {
				const {channel, msg_type: type, content} = JSON.parse(String(data));
				if (channel === 'shell' || channel === 'control') replies.push({type, content});
				onSent();
			},
			close: () => undefined,
		},
		null,
	);
	let count = 0;
	const ask = (type: string, content: object, channel: Channel = 'shell'): void => {
		const header = {msg_id: String(++count), msg_type: type};
		const message = parseIncoming(Buffer.from(JSON.stringify({channel, header, content})), false);
		if (message === null) throw new Error('no message');
		client.receive(message);
	};
	return {run, replies, kernel, ask};
};
const MEBIBYTE = 2 ** 20;
const CHANNELS = [['shell'], ['control']] as const;

testRows(
	'code waiting on the %s channel is limited in bytes, the surplus is refused, and the rest runs',
	CHANNELS,
	1,
	async ([channel]) => {
		const {run, replies, ask} = connected();
		ask('execute_request', {code: 'first'});
		for (let each = 0; each < 8; each++) ask('execute_request', {code: 'x'.repeat(10 * MEBIBYTE)}, channel);
		const refused = replies.filter(({content}) => content['ename'] === 'TooManyRequests');
		expect(refused).toHaveLength(5);
		expect(refused[0]).toMatchObject({
			type: 'execute_reply',
			content: {status: 'error', evalue: expect.stringMatching(/limit: .* 32 MiB.*Try again/)},
		});
		// Each ended cell frees a slot.
		for (let each = 0; each < 4; each++) {
			await expect.poll(() => run.length).toBeGreaterThan(each);
			run[each]?.end();
		}
		await expect.poll(() => replies.filter(({content}) => content['status'] === 'ok').length).toBe(4);
		ask('execute_request', {code: 'y'.repeat(10 * MEBIBYTE)}, channel);
		await expect.poll(() => run.length).toBe(5);
	},
);

test.each(['shell', 'control'] as const)(
	'small requests that wait on the %s channel are bounded by their number, and an interrupt is taken all the same',
	async channel => {
		const {run, replies, ask} = connected();
		ask('execute_request', {code: 'first'});
		for (let each = 0; each < 1100; each++) ask('execute_request', {code: '1'}, channel);
		expect(replies).toHaveLength(100);
		ask('interrupt_request', {}, 'control');
		await expect.poll(() => replies.some(({type}) => type === 'interrupt_reply')).toBe(true);
		expect(run.length).toBeGreaterThan(0);
	},
);

test('a message with a header that would make every answer to it large is none', () => {
	const header = {msg_id: 'x'.repeat(100_000), msg_type: 'kernel_info_request'};
	expect(
		parseIncoming(Buffer.from(JSON.stringify({channel: 'shell', header, content: {}})), false),
	).toBeNull();
	const usual = {msg_id: 'x', msg_type: 'execute_request'};
	expect(
		parseIncoming(
			Buffer.from(JSON.stringify({channel: 'shell', header: usual, content: {code: 'x'.repeat(100_000)}})),
			false,
		),
	).not.toBeNull();
});
