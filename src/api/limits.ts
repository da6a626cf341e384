import type {Delays} from 'got';

/** Kinds of calls, which differ in their time and size limits. */
export type CallKind = 'list' | 'file' | 'change' | 'upload' | 'run' | 'chat';

/** Timeouts per phase, in ms; other phases have none. `cap`: bytes of the decompressed response. */
export type Limit = {readonly timeout: Readonly<Delays>; readonly cap: number};

export type Limits = Readonly<Record<CallKind, Limit>> & {
	/** Chat: longest time without a new line of the answer, in ms. */
	readonly silence: number;
	/** Chat: how long the body may stay open after the last line of the answer, in ms. */
	readonly afterDone: number;
	/** Timeout until a proxy has connected to the service, in ms. */
	readonly tunnel: number;
	/** Time limit for reading the body of an error, in ms. */
	readonly errorBody: number;
};

const MIB = 1 << 20;
const connecting = {lookup: 5000, connect: 5000, secureConnect: 5000};

/** Proxy timeout: name lookup, connection and reply. TLS starts after it. */
export const TUNNEL_MS = 15_000;

export const LIMITS: Limits = {
	// A catalogue of 10,000 options with 20 regions each is 10 MiB.
	list: {timeout: {...connecting, response: 15_000, socket: 15_000, request: 30_000}, cap: 32 * MIB},
	// A large file may take long as long as data arrives.
	file: {timeout: {...connecting, response: 15_000, socket: 15_000, request: 120_000}, cap: 160 * MIB},
	change: {timeout: {...connecting, response: 15_000, socket: 15_000, request: 60_000}, cap: MIB},
	upload: {timeout: {...connecting, send: 60_000, response: 30_000, request: 120_000}, cap: MIB},
	// Code may run for any time: only the user ends the wait.
	run: {timeout: {...connecting, send: 30_000}, cap: 32 * MIB},
	chat: {timeout: {...connecting, response: 300_000, socket: 300_000}, cap: 64 * MIB},
	silence: 300_000,
	afterDone: 2000,
	tunnel: TUNNEL_MS,
	errorBody: 5000,
};

/** Bytes read of an error's body. */
export const ERROR_BODY_CAP = 64 << 10;
