import {randomUUID} from 'node:crypto';
import type {Channel, Header, Outgoing} from './wire.ts';

const PROTOCOL = '5.3';

export type Composer = {
	/** Header of a request that was not sent by any client of this server. */
	headerOf(type: string): Header;
	compose(channel: Channel, type: string, parent: Header | null, content: object): Outgoing;
	/** Composes a message without a sequence number, for a single client. */
	aside(channel: Channel, type: string, parent: Header | null, content: object): Outgoing;
	/** Starts a new kernel session, which tells clients that the kernel was restarted. */
	renew(): void;
	/** Skips a sequence number, for a reply that no client receives. */
	skip(): void;
	/**
	 * Composes an output that contains a sentence of the service. `parent`: header of the cell's
	 * request as JSON.
	 */
	note(parent: string, sentence: string): Outgoing;
};

export const createComposer = (): Composer => {
	let session = randomUUID();
	let count = 0;
	/**
	 * Ids with sequence numbers, as in Jupyter's own kernels, so that clients can detect missing
	 * messages.
	 */
	const numbered = (): string => `${session}_${process.pid}_${count++}`;
	const header = (type: string, id: string): Header => ({
		msg_id: id,
		msg_type: type,
		session,
		username: 'kernel',
		date: new Date().toISOString(),
		version: PROTOCOL,
	});
	const outgoing = (
		id: string,
		...[channel, type, parent, content]: Parameters<Composer['compose']>
	): Outgoing => ({
		channel,
		id,
		type,
		header: JSON.stringify(header(type, id)),
		parent: JSON.stringify(parent ?? {}),
		content: JSON.stringify(content),
	});
	const aside: Composer['aside'] = (...message) => outgoing(randomUUID(), ...message);
	return {
		headerOf: type => header(type, randomUUID()),
		compose: (...message) => outgoing(numbered(), ...message),
		aside,
		renew() {
			session = randomUUID();
			count = 0;
		},
		skip() {
			count++;
		},
		note: (parent, sentence) => ({
			...aside('iopub', 'stream', null, {name: 'stderr', text: `… ${sentence} …\n`}),
			parent,
		}),
	};
};

/** Content of the reply to `kernel_info_request`. */
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
