import {randomUUID} from 'node:crypto';

export type Message = {
	readonly channel: string;
	readonly header: {readonly msg_id: string; readonly msg_type: string};
	readonly parent_header: {readonly msg_id?: string};
	readonly content: Readonly<Record<string, unknown>>;
};

/** The address of a server with Jupyter's API. */
export type JupyterAddress = {readonly url: string; readonly token: string};

export const callJupyter = (
	{url, token}: JupyterAddress,
	method: string,
	path: string,
	body?: unknown,
): Promise<Response> =>
	fetch(url + path, {
		method,
		headers: {
			authorization: `token ${token}`,
			...(body !== undefined && {'content-type': 'application/json'}),
		},
		...(body !== undefined && {body: JSON.stringify(body)}),
	});

const parseBinary = (data: ArrayBuffer): Message => {
	const bytes = Buffer.from(data);
	const offset = (index: number): number => Number(bytes.readBigUInt64LE(8 * (index + 1)));
	const part = (index: number): string => bytes.subarray(offset(index), offset(index + 1)).toString();
	const [header, parent, , content] = [1, 2, 3, 4].map(index => JSON.parse(part(index)) as unknown);
	return {channel: part(0), header, parent_header: parent, content} as Message;
};
const composeBinary = (channel: string, parts: readonly unknown[]): Uint8Array<ArrayBuffer> => {
	const all = [Buffer.from(channel), ...parts.map(part => Buffer.from(JSON.stringify(part)))];
	const head = Buffer.alloc(8 * (all.length + 2));
	head.writeBigUInt64LE(BigInt(all.length + 1), 0);
	all.reduce((at, part, index) => {
		head.writeBigUInt64LE(BigInt(at), 8 * (index + 1));
		head.writeBigUInt64LE(BigInt(at + part.length), 8 * (index + 2));
		return at + part.length;
	}, head.length);
	return new Uint8Array(Buffer.concat([head, ...all]));
};

export type Channels = {
	readonly messages: Message[];
	readonly protocol: string;
	/** Sends a message and returns its id. */
	send(type: string, content: object, channel?: string): string;
	/** Text of a stream: of one request, or of all. */
	text(parent?: string, name?: string): string;
	reply(id: string): Message | undefined;
	/** Resolves when the connection has ended. */
	close(): Promise<number>;
	readonly closed: Promise<number>;
};

/** Opens a WebSocket to a kernel with Node's WebSocket, independent of the program's code. */
export const openChannels = async (
	{url, token}: JupyterAddress,
	kernel: string,
	{
		session = randomUUID(),
		protocols = [],
		came,
	}: {
		readonly session?: string;
		readonly protocols?: string[];
		/** Number of messages of the session that the client claims to have received. */
		readonly came?: number;
	} = {},
): Promise<Channels> => {
	const socket = new WebSocket(
		`${url.replace('http', 'ws')}api/kernels/${kernel}/channels?session_id=${session}&token=${token}`,
		// Node's WebSocket accepts headers, but the types are those of browsers.
		came === undefined
			? protocols
			: ({protocols, headers: {'last-event-id': String(came)}} as unknown as string[]),
	);
	socket.binaryType = 'arraybuffer';
	const messages: Message[] = [];
	const closed = new Promise<number>(resolve => {
		socket.onclose = ({code}) => resolve(code);
	});
	socket.onmessage = ({data}: MessageEvent<string | ArrayBuffer>) => {
		messages.push(typeof data === 'string' ? (JSON.parse(data) as Message) : parseBinary(data));
	};
	await new Promise<void>((resolve, reject) => {
		socket.onopen = () => resolve();
		socket.onerror = () => reject(new Error('the channel was refused'));
	});
	return {
		messages,
		protocol: socket.protocol,
		send(type, content, channel = 'shell') {
			const id = randomUUID();
			const header = {
				msg_id: id,
				msg_type: type,
				session,
				username: 'test',
				date: new Date().toISOString(),
				version: '5.3',
			};
			socket.send(
				socket.protocol === ''
					? JSON.stringify({channel, header, parent_header: {}, metadata: {}, content, buffers: []})
					: composeBinary(channel, [header, {}, {}, content]),
			);
			return id;
		},
		text: (parent, name = 'stdout') =>
			messages
				.filter(
					({header, parent_header: of, content}) =>
						header.msg_type === 'stream' &&
						content['name'] === name &&
						(parent === undefined || of.msg_id === parent),
				)
				.map(({content}) => String(content['text']))
				.join(''),
		reply: id =>
			messages.find(({header, parent_header: of}) => of.msg_id === id && header.msg_type.endsWith('_reply')),
		close() {
			socket.close();
			return closed;
		},
		closed,
	};
};
