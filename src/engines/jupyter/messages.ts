import {randomUUID} from 'node:crypto';
import * as z from 'zod';
import {cellOutput} from '../../contract/cells.ts';
import {jsonIn} from '../../text/record.ts';
import {collectOutput, type OutputCollector} from '../output-collector.ts';

const text = z.string().catch('');

/** A message of a kernel as the server's WebSocket sends it: JSON text, the protocol that every version speaks unasked. */
const message = z.object({
	msg_type: text,
	parent_header: z.object({msg_id: text, session: text}).catch({msg_id: '', session: ''}),
	content: z.looseObject({}).catch({}),
});
export type KernelMessage = z.infer<typeof message>;

/** Null for what is no message. */
export const parseMessage = (data: unknown): KernelMessage | null =>
	message.safeParse(typeof data === 'string' ? jsonIn(data) : data).data ?? null;

type Request = {readonly id: string; readonly text: string};

const request = (session: string, channel: 'shell' | 'control', type: string, content: object): Request => {
	const id = randomUUID();
	const header = {
		msg_id: id,
		msg_type: type,
		session,
		username: 'svc-tui',
		date: new Date().toISOString(),
		version: '5.3',
	};
	return {id, text: JSON.stringify({channel, header, parent_header: {}, metadata: {}, buffers: [], content})};
};

export const executeRequest = (session: string, code: string): Request =>
	request(session, 'shell', 'execute_request', {
		code,
		silent: false,
		store_history: true,
		user_expressions: {},
		allow_stdin: false,
		stop_on_error: false,
	});

/** On control it is heard while code runs; not every kernel answers there (R's does not), but each does on shell. */
export const infoRequests = (session: string): readonly Request[] =>
	(['shell', 'control'] as const).map(channel => request(session, channel, 'kernel_info_request', {}));

const page = z.object({source: z.literal('page'), data: z.looseObject({})});
const SHOWN = /^(stream|clear_output|error|execute_result|(update_)?display_data)$/;

/** What a kernel sent for a cell, as nbformat writes it. */
export const collectMessage = (
	collector: OutputCollector,
	{msg_type: type, content}: KernelMessage,
): void => {
	if (SHOWN.test(type)) collectOutput(collector, cellOutput.parse({output_type: type, ...content}));
	else if (type === 'execute_reply') {
		// What IPython's `?` would open a pager for.
		const payload = z.array(z.unknown()).safeParse(content['payload']).data ?? [];
		for (const item of payload) {
			const {data} = page.safeParse(item);
			if (data) collector.add({output_type: 'display_data', data: data.data, metadata: {}});
		}
	}
};
