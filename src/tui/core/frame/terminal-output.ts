import type {WriteStream} from 'node:tty';
import {pinColumns} from '../../../text/width/pin-columns.ts';

/** Text with which Ink, in a write of its own, turns the kitty keyboard protocol on or off. */
const KEYS = /^\u001B\[(?:>\d+|(<))u$/;
/** Text with which Ink, in a write of its own, turns the alternate screen on or off. */
const SCREEN = /^\u001B\[\?1049([hl])/;

/** Listeners that are called before Ink's text is written to the terminal. */
type Listeners = {
	/** Receives the state of the kitty protocol, because Ink leaves it on if a view throws. */
	readonly onKeys: (isOn: boolean) => void;
	/** Receives the state of the alternate screen. */
	readonly onScreen: (isOn: boolean) => void;
	readonly onWrite: (text: string) => void;
};

/**
 * The terminal for Ink's output. A character that the terminal draws wider or narrower than
 * expected does not shift the rest of its row. Each written text must start in the first column or
 * with a cursor move.
 */
export const columnPinningOutput = (
	terminal: WriteStream,
	{onKeys, onScreen, onWrite}: Partial<Listeners>,
): WriteStream => {
	const write = (chunk: string | Uint8Array, ...rest: never[]): boolean => {
		if (typeof chunk !== 'string') return terminal.write(chunk, ...rest);
		const keys = KEYS.exec(chunk);
		if (keys) onKeys?.(keys[1] === undefined);
		const screen = SCREEN.exec(chunk);
		if (screen) onScreen?.(screen[1] === 'h');
		onWrite?.(chunk);
		return terminal.write(pinColumns(chunk), ...rest);
	};
	return new Proxy(terminal, {
		get(target, name) {
			if (name === 'write') return write;
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === 'function' ? (value.bind(target) as unknown) : value;
		},
	});
};
