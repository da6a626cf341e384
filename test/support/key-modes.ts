import type {Terminal as Emulator} from '@xterm/headless';

/**
 * Terminal modes that determine which bytes keys and wheel send. The tests' emulator does not
 * implement them.
 */
const DECIDING = [1007, 1036, 1039] as const;
type Mode = (typeof DECIDING)[number];

export type KeyModeOptions = {
	/** Modes that are on before the program starts. Default: those of a new xterm. */
	readonly on?: readonly Mode[];
	/** True for a terminal that cannot save modes (XTSAVE). */
	readonly isForgetful?: true;
};

export type KeyModes = {
	/** Numbers of the active modes, and `modifyOtherKeys` if that is on. */
	now(): readonly string[];
	/** The modes before the program started. */
	readonly before: readonly string[];
};

/** Handles these modes as a terminal does: set, reset, save and restore. */
export const keepKeyModes = ({parser}: Emulator, {on = [], isForgetful}: KeyModeOptions = {}): KeyModes => {
	const modes = new Map<Mode, boolean>(DECIDING.map(mode => [mode, on.includes(mode)]));
	const noted = new Map<Mode, boolean>();
	let otherKeys = 0;
	const each = (params: ReadonlyArray<number | number[]>, change: (mode: Mode) => void): false => {
		for (const param of params.flat()) if (modes.has(param as Mode)) change(param as Mode);
		return false;
	};
	parser.registerCsiHandler({prefix: '?', final: 'h'}, params => each(params, mode => modes.set(mode, true)));
	parser.registerCsiHandler({prefix: '?', final: 'l'}, params =>
		each(params, mode => modes.set(mode, false)),
	);
	parser.registerCsiHandler({prefix: '?', final: 's'}, params =>
		each(params, mode => isForgetful || noted.set(mode, modes.get(mode) ?? false)),
	);
	parser.registerCsiHandler({prefix: '?', final: 'r'}, params =>
		each(params, mode => isForgetful || modes.set(mode, noted.get(mode) ?? false)),
	);
	parser.registerCsiHandler({prefix: '>', final: 'm'}, ([resource, value = 0]) => {
		if (resource === 4) otherKeys = Number(value);
		return false;
	});
	const now = (): readonly string[] => [
		...DECIDING.filter(mode => modes.get(mode)).map(String),
		...(otherKeys > 0 ? ['modifyOtherKeys'] : []),
	];
	return {now, before: now()};
};
