import {randomUUID} from 'node:crypto';
import type {Channel, Header, Outgoing} from './wire.ts';

const PROTOCOL = '5.3';

/** Makes the messages of one kernel. */
export type Composer = {
	headerOf(type: string): Header;
	compose(channel: Channel, type: string, parent: Header | null, content: object): Outgoing;
	/** A sentence of ours among the outputs of a cell; `parent` is its header as JSON. */
	note(parent: string, sentence: string): Outgoing;
};

export const createComposer = (): Composer => {
	const session = randomUUID();
	const headerOf = (type: string): Header => ({
		msg_id: randomUUID(),
		msg_type: type,
		session,
		username: 'kernel',
		date: new Date().toISOString(),
		version: PROTOCOL,
	});
	const compose: Composer['compose'] = (channel, type, parent, content) => {
		const header = headerOf(type);
		return {
			channel,
			id: header.msg_id,
			type,
			header: JSON.stringify(header),
			parent: JSON.stringify(parent ?? {}),
			content: JSON.stringify(content),
		};
	};
	return {
		headerOf,
		compose,
		note: (parent, sentence) => ({
			...compose('iopub', 'stream', null, {name: 'stderr', text: `… ${sentence} …\n`}),
			parent,
		}),
	};
};

/** The reply to `kernel_info_request`. */
export const kernelInfo = (python: string) => ({
	status: 'ok',
	protocol_version: PROTOCOL,
	implementation: 'svc-tui',
	implementation_version: python,
	language_info: {
		name: 'python',
		version: python,
		mimetype: 'text/x-python',
		file_extension: '.py',
		pygments_lexer: 'ipython3',
		codemirror_mode: {name: 'ipython', version: 3},
		nbconvert_exporter: 'python',
	},
	banner: `Python ${python}, the embedded engine of svc-tui`,
	help_links: [],
});
