import type {Question} from '../lookup.ts';
import type {StreamName} from '../output-collector.ts';

// What the parent and the engine process say to each other. Requests travel over Node's IPC channel, answers as lines of JSON on fd 3,
// interrupts as little-endian 32-bit request ids on fd 4; the end of fd 4 means that the parent is gone.

/** File descriptors of the engine process. */
export const ANSWER_FD = 3;
export const INTERRUPT_FD = 4;

/** First argument of the engine process, as JSON. Without a root it answers look-ups and runs no cell. */
export type EngineConfig = {readonly root: string | null; readonly snapshot: string | null};

export type Request =
	| {readonly id: number; readonly type: 'run'; readonly code: string}
	| {readonly id: number; readonly type: 'ask'; readonly question: Question; readonly argument: string};

export type Answer =
	| {readonly type: 'ready'}
	| {readonly type: 'stream'; readonly name: StreamName; readonly text: string}
	/** `json` is one nbformat output, as text, so that the engine process need not parse what Python has just written. */
	| {readonly type: 'output'; readonly json: string}
	| {readonly type: 'done'; readonly id: number; readonly executionCount: number}
	| {readonly type: 'answer'; readonly id: number; readonly json: string}
	/** The interpreter cannot go on; the process ends itself right after. */
	| {readonly type: 'died'; readonly reason: string};
