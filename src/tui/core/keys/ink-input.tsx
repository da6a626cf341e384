import {EventEmitter} from 'node:events';
import {use, useMemo, type ReactNode} from 'react';
// Ink exports the hook and not the context. Without it the `useInput` of a package hears every key of the terminal beside the
// dispatcher, and several of one read before it is drawn again, of which it then loses all but the last.
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

/** Gives a package on screen these keys, each after what the one before has changed is drawn. `tell` lets the screens hear of all changes. */
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

/** Below it a package of Ink's, such as ink-select-input, hears the keys of `sendKeysToInk` and no others. */
export const InkInput = ({children}: {readonly children: ReactNode}) => {
	const stdin = use(StdinContext);
	const own = useMemo(() => ({...stdin, internal_eventEmitter: input}), [stdin]);
	return <StdinContext value={own}>{children}</StdinContext>;
};
