import {EventEmitter} from 'node:events';
import {use, useMemo, type ReactNode} from 'react';
// Ink exports the hook and not the context. Without the context the `useInput` of a package
// receives every key of the terminal beside the dispatcher. Of several keys in one read it then
// loses all but the last.
import StdinContext from '../../../../node_modules/ink/build/components/StdinContext.js';
import reconciler from '../../../../node_modules/ink/build/reconciler.js';

/** Keys as the packages read them. */
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
 * Sends keys to a package on screen. Changes of each key are drawn before the next. `tell` notifies
 * the screens of all changes.
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
