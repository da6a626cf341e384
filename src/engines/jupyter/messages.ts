import {randomUUID} from 'node:crypto';
import * as z from 'zod';
import {cellOutput} from '../../contract/cells.ts';
import {jsonIn} from '../../text/record.ts';
import type {OutputCollector} from '../output-collector.ts';

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
const transient = z.object({display_id: z.string()});

/** What a kernel sent for a cell, as nbformat writes it. */
export const collectOutput = (collector: OutputCollector, {msg_type: type, content}: KernelMessage): void => {
	if (type === 'stream')
		collector.addText(content['name'] === 'stderr' ? 'stderr' : 'stdout', text.parse(content['text']));
	else if (type === 'clear_output') collector.clear(content['wait'] === true);
	else if (
		type === 'display_data' ||
		type === 'execute_result' ||
		type === 'error' ||
		type === 'update_display_data'
	) {
		// nbformat keeps no `transient`.
		const {transient: hidden, ...shown} = content;
		const displayId = transient.safeParse(hidden).data?.display_id;
		if (type !== 'update_display_data')
			collector.add(cellOutput.parse({output_type: type, ...shown}), displayId);
		else if (displayId !== undefined)
			collector.update(displayId, {data: shown['data'], metadata: shown['metadata']});
	} else if (type === 'execute_reply') {
		// What IPython's `?` would open a pager for.
		const payload = z.array(z.unknown()).safeParse(content['payload']).data ?? [];
		for (const item of payload) {
			const {data} = page.safeParse(item);
			if (data) collector.add({output_type: 'display_data', data: data.data, metadata: {}});
		}
	}
};
