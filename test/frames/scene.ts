import type {Client} from '../../src/api/client-types.ts';
import type {Failure, Reply} from '../../src/api/failure.ts';
import type {Deps} from '../../src/tui/core/store/deps.ts';
import type {State, Store} from '../../src/tui/core/program.ts';
import type {Clock} from './stopped-clock.ts';

/** What the service answers to a call. */
export type Answer<T> = {readonly value: T} | {readonly failure: Failure} | 'never';

/** Cells of a terminal. */
export type Size = {readonly columns: number; readonly rows: number};
const SMALL: Size = {columns: 80, rows: 24};
const USUAL: Size = {columns: 120, rows: 40};
const WIDE: Size = {columns: 200, rows: 50};
const TIGHT: Size = {columns: 60, rows: 15};
/** Every scene is drawn at each of them, in this order: the terminal is made larger, then as small as it may be. */
export const SIZES: readonly Size[] = [SMALL, USUAL, WIDE, {columns: 60, rows: 20}, TIGHT];
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

/** Scenes that are in want of room in the smallest terminal. */
const IN_WANT_OF_ROOM: ReadonlySet<string> = new Set([
	'assistant full',
	'dialogs/create start',
	'dialogs/difference full',
	'dialogs/help servers',
	'dialogs/kernels full',
	'dialogs/palette servers',
	'dialogs/permit run',
	'dialogs/requests full',
	'dialogs/restart busy',
	'dialogs/sign-in full',
	'dialogs/table full',
	'files notebook',
]);

/** The sizes of which the frames stand in files. Between one pane and two lie 100 columns, between two and three 140. */
export const storedSizes = (scene: Pick<Scene, 'screen' | 'state'>): readonly Size[] => [
	SMALL,
	USUAL,
	...(scene.screen === 'panes' ? [{columns: 140, rows: 40}, WIDE] : []),
	...(IN_WANT_OF_ROOM.has(sceneName(scene)) ? [TIGHT] : []),
];

export const sceneName = ({screen, state}: Pick<Scene, 'screen' | 'state'>): string => `${screen} ${state}`;

export const reply = async <T>(answer: Answer<T>): Promise<Reply<T>> => {
	if (answer === 'never') return new Promise(() => {});
	return 'value' in answer ? {ok: true, value: answer.value} : {ok: false, failure: answer.failure};
};
