import type {Delays} from 'got';

/** Kinds of call that differ in how long they may take and how much they may answer. */
export type CallKind = 'list' | 'file' | 'change' | 'upload' | 'run' | 'chat';

/** Milliseconds per phase; a phase that is not named has no limit. `cap`: bytes of the answer after decompression. */
export type Limit = {readonly timeout: Readonly<Delays>; readonly cap: number};

export type Limits = Readonly<Record<CallKind, Limit>> & {
	/** Of a chat: longest time in milliseconds without a new line of the answer. */
	readonly silence: number;
	/** Of a chat: how long in milliseconds the body may stay open after the line that ends the answer. */
	readonly afterDone: number;
	/** Until a proxy has made the connection to the service, in milliseconds. */
	readonly tunnel: number;
	/** How long in milliseconds the body of an error is read. */
	readonly errorBody: number;
};

const MIB = 1 << 20;
const connecting = {lookup: 5000, connect: 5000, secureConnect: 5000};

/** A proxy looks up, connects and says so; then TLS begins. */
export const TUNNEL_MS = 15_000;

export const LIMITS: Limits = {
	// A catalogue of 10,000 offers with 20 regions each is 10 MiB.
	list: {timeout: {...connecting, response: 15_000, socket: 15_000, request: 30_000}, cap: 32 * MIB},
	// A large file may take its time as long as it keeps coming.
	file: {timeout: {...connecting, response: 15_000, socket: 15_000, request: 120_000}, cap: 160 * MIB},
	change: {timeout: {...connecting, response: 15_000, socket: 15_000, request: 60_000}, cap: MIB},
	upload: {timeout: {...connecting, send: 60_000, response: 30_000, request: 120_000}, cap: MIB},
	// Code runs as long as it runs: only the user ends the wait.
	run: {timeout: {...connecting, send: 30_000}, cap: 32 * MIB},
	chat: {timeout: {...connecting, response: 300_000, socket: 300_000}, cap: 64 * MIB},
	silence: 300_000,
	afterDone: 2000,
	tunnel: TUNNEL_MS,
	errorBody: 5000,
};

/** How much of an error's body is read. */
export const ERROR_BODY_CAP = 64 << 10;
