// Encodes and decodes Jupyter's messages on a WebSocket: as JSON text, or in the binary form of
// subprotocol v1.
import {isRecord} from '../../text/record.ts';

export const BINARY_PROTOCOL = 'v1.kernel.websocket.jupyter.org';

export type Channel = 'shell' | 'control' | 'stdin' | 'iopub';
export type Header = {readonly msg_id: string; readonly msg_type: string} & Readonly<Record<string, unknown>>;

/** Message from a client. */
export type Incoming = {
	readonly channel: Channel;
	readonly header: Header;
	readonly content: Readonly<Record<string, unknown>>;
	/** Size of the received message, in bytes. */
	readonly size: number;
};

/** Message to clients. Its parts are serialised to JSON only once for all clients. */
export type Outgoing = {
	readonly channel: Channel;
	readonly id: string;
	readonly type: string;
	readonly header: string;
	readonly parent: string;
	readonly content: string;
};

const CHANNELS: readonly unknown[] = ['shell', 'control', 'stdin', 'iopub'] satisfies readonly Channel[];
const WORD = 8;
/**
 * Maximum length of a request's header, in UTF-16 units. Limited, because all messages that respond
 * to the request repeat its header.
 */
const LONGEST_HEADER = 65_536;

const incoming = (size: number, channel: unknown, header: unknown, content: unknown): Incoming | null => {
	if (!CHANNELS.includes(channel) || !isRecord(header) || !isRecord(content)) return null;
	const {msg_id: id, msg_type: type} = header;
	if (typeof id !== 'string' || typeof type !== 'string') return null;
	if (size > LONGEST_HEADER && JSON.stringify(header).length > LONGEST_HEADER) return null;
	return {channel: channel as Channel, header: {...header, msg_id: id, msg_type: type}, content, size};
};

const parseBinary = (bytes: Buffer): Incoming | null => {
	const count = Number(bytes.readBigUInt64LE(0));
	// The offsets are those of channel, header, parent, metadata and content, and the end of the
	// content.
	if (count < 6 || count > 1024 || bytes.length < WORD * (count + 1)) return null;
	const part = (index: number): string => {
		const [from, to] = [index, index + 1].map(at => Number(bytes.readBigUInt64LE(WORD * (at + 1))));
		return bytes.subarray(from, to).toString();
	};
	return incoming(bytes.length, part(0), JSON.parse(part(1)), JSON.parse(part(4)));
};

/** Parses a client's message. Null if the data is invalid. */
export const parseIncoming = (data: Buffer, isBinary: boolean): Incoming | null => {
	try {
		if (isBinary) return parseBinary(data);
		const message: unknown = JSON.parse(data.toString());
		return isRecord(message)
			? incoming(data.length, message['channel'], message['header'], message['content'])
			: null;
	} catch {
		return null;
	}
};

const binaryOf = ({channel, header, parent, content}: Outgoing): Buffer => {
	const parts = [channel, header, parent, '{}', content].map(part => Buffer.from(part));
	const head = Buffer.alloc(WORD * (parts.length + 2));
	head.writeBigUInt64LE(BigInt(parts.length + 1), 0);
	let at = head.length;
	for (const [index, part] of parts.entries()) {
		head.writeBigUInt64LE(BigInt(at), WORD * (index + 1));
		at += part.length;
	}
	head.writeBigUInt64LE(BigInt(at), WORD * (parts.length + 1));
	return Buffer.concat([head, ...parts]);
};

const textOf = ({channel, id, type, header, parent, content}: Outgoing): string =>
	`{"channel":"${channel}","msg_id":${JSON.stringify(id)},"msg_type":${JSON.stringify(type)},"header":${header},"parent_header":${parent},"metadata":{},"content":${content},"buffers":[]}`;

export const encode = (message: Outgoing, form: 'text' | 'binary'): string | Buffer =>
	form === 'binary' ? binaryOf(message) : textOf(message);
