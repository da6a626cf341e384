import {EventEmitter} from 'node:events';
import {use, useMemo, type ReactNode} from 'react';
// Ink exports a hook for this context, but not the context itself. Without a replacement,
// `useInput` in a package receives every key of the terminal in addition to the dispatcher, and of
// several keys in one read only the last.
import StdinContext from '../../../../node_modules/ink/build/components/StdinContext.js';
import reconciler from '../../../../node_modules/ink/build/reconciler.js';

/** Byte sequences of keys, as the packages parse them. */
export const KEY = {
	up: '\u001B[A',
	down: '\u001B[B',
	right: '\u001B[C',
	left: '\u001B[D',
	enter: '\r',
	backspace: '\u007F',
} as const;

const input = new EventEmitter();

/**
 * Sends keys to a mounted package component. The changes of each key are drawn before the next key
 * is sent. `tell` notifies the screens of all changes.
 */
export const sendKeysToInk = (tell: () => void, keys: readonly string[]): void => {
	const draw = (): void => {
		tell();
		reconciler.flushSyncWork();
	};
	draw();
	for (const key of keys) {
		input.emit('input', key);
		draw();
	}
};

/**
 * Context in which a package for Ink, such as ink-select-input, receives only the keys of
 * `sendKeysToInk`.
 */
export const InkInput = ({children}: {readonly children: ReactNode}) => {
	const stdin = use(StdinContext);
	const own = useMemo(() => ({...stdin, internal_eventEmitter: input}), [stdin]);
	return <StdinContext value={own}>{children}</StdinContext>;
};
