import type {Client} from '../../src/api/client-types.ts';
import type {Failure, Reply} from '../../src/api/failure.ts';
import type {Deps} from '../../src/tui/core/store/deps.ts';
import type {State, Store} from '../../src/tui/core/program.ts';
import type {Clock} from './stopped-clock.ts';

/** What the service answers to a call. */
export type Answer<T> = {readonly value: T} | {readonly failure: Failure} | 'never';

/** Cells of a terminal. */
export type Size = {readonly columns: number; readonly rows: number};
export const SIZES: readonly Size[] = [
	{columns: 80, rows: 24},
	{columns: 120, rows: 40},
	{columns: 200, rows: 50},
	{columns: 60, rows: 20},
	{columns: 60, rows: 15},
];
export const sizeName = ({columns, rows}: Size): string => `${columns}x${rows}`;

/** A state of a screen or dialog. */
export type Scene = {
	/** Folder of its frames: a screen, or `dialogs/KIND`. */
	readonly screen: string;
	readonly state: string;
	/** What the service answers; a call that is not named is never answered. */
	readonly service: (clock: Clock) => Partial<Client>;
	readonly deps?: Partial<Deps>;
	/** Brings the store there, through what keys do. */
	readonly arrive: (store: Store, clock: Clock) => Promise<void> | void;
	/** What the state must hold before the frame counts, where something takes longer than a few turns of the event loop. */
	readonly until?: (state: State) => boolean;
};

export const sceneName = ({screen, state}: Pick<Scene, 'screen' | 'state'>): string => `${screen} ${state}`;

export const reply = async <T>(answer: Answer<T>): Promise<Reply<T>> => {
	if (answer === 'never') return new Promise(() => {});
	return 'value' in answer ? {ok: true, value: answer.value} : {ok: false, failure: answer.failure};
};
