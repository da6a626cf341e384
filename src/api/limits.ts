import type {Delays} from 'got';

/** Kinds of calls, which differ in their time and size limits. */
export type CallKind = 'list' | 'file' | 'change' | 'upload' | 'run' | 'chat';

/**
 * Time limits of a call. `timeout`: in ms for each phase; other phases have no limit. `cap`: size
 * of the decompressed response in bytes.
 */
export type Limit = {readonly timeout: Readonly<Delays>; readonly cap: number};

export type Limits = Readonly<Record<CallKind, Limit>> & {
	/** Chat: longest time without a new line of the answer, in ms. */
	readonly silence: number;
	/** Chat: how long the body may stay open after the last line of the answer, in ms. */
	readonly afterDone: number;
	/** Time in which a proxy must connect to the service, in ms. */
	readonly tunnel: number;
	/** Time limit for reading the body of an error, in ms. */
	readonly errorBody: number;
};

const MIB = 1 << 20;
const connecting = {lookup: 5000, connect: 5000, secureConnect: 5000};

/**
 * Time limit for a proxy in ms, from the name lookup to the proxy's reply. TLS starts after that.
 */
export const TUNNEL_MS = 15_000;

export const LIMITS: Limits = {
	// Large enough for 10,000 options with 20 regions each, which are 10 MiB.
	list: {timeout: {...connecting, response: 15_000, socket: 15_000, request: 30_000}, cap: 32 * MIB},
	// The whole request has a long limit, because a large file takes a while to arrive.
	file: {timeout: {...connecting, response: 15_000, socket: 15_000, request: 120_000}, cap: 160 * MIB},
	change: {timeout: {...connecting, response: 15_000, socket: 15_000, request: 60_000}, cap: MIB},
	upload: {timeout: {...connecting, send: 60_000, response: 30_000, request: 120_000}, cap: MIB},
	// No limit for the response, because code may run for any time. Only the user ends the wait.
	run: {timeout: {...connecting, send: 30_000}, cap: 32 * MIB},
	chat: {timeout: {...connecting, response: 300_000, socket: 300_000}, cap: 64 * MIB},
	silence: 300_000,
	afterDone: 2000,
	tunnel: TUNNEL_MS,
	errorBody: 5000,
};

/** Number of bytes that are read from the body of an error. */
export const ERROR_BODY_CAP = 64 << 10;
