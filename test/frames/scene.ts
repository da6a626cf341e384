import type {Client} from '../../src/api/client-types.ts';
import type {Failure, Reply} from '../../src/api/failure.ts';
import type {Deps} from '../../src/tui/core/store/deps.ts';
import type {State, Store} from '../../src/tui/core/program.ts';
import type {Clock} from './stopped-clock.ts';

export type Answer<T> = {readonly value: T} | {readonly failure: Failure} | 'never';

/** Size of a terminal, in cells. */
export type Size = {readonly columns: number; readonly rows: number};
const SMALL: Size = {columns: 80, rows: 24};
const USUAL: Size = {columns: 120, rows: 40};
const WIDE: Size = {columns: 200, rows: 50};
const TIGHT: Size = {columns: 60, rows: 15};
/**
 * Sizes at which every scene is drawn, in this order: the terminal grows, then shrinks to the
 * smallest size.
 */
export const SIZES: readonly Size[] = [SMALL, USUAL, WIDE, {columns: 60, rows: 20}, TIGHT];
export const sizeName = ({columns, rows}: Size): string => `${columns}x${rows}`;

/** A state of a screen or dialog. */
export type Scene = {
	/** Folder of the stored frames: a screen, or `dialogs/KIND`. */
	readonly screen: string;
	readonly state: string;
	/** Responses of the service. Other calls never get a response. */
	readonly service: (clock: Clock) => Partial<Client>;
	readonly deps?: Partial<Deps>;
	/** Puts the store into the state, with the functions that keys call. */
	readonly arrive: (store: Store, clock: Clock) => Promise<void> | void;
	/**
	 * Condition that the final state fulfils. For states that take longer than a few turns of the
	 * event loop.
	 */
	readonly until?: (state: State) => boolean;
};

/** Scenes that barely fit into the smallest terminal. Their frame at that size is stored too. */
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

/**
 * Sizes whose frames are stored in files. From 132 columns on, companions are beside the main pane.
 */
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
