import {EventEmitter} from 'node:events';
import {use, useContext, useLayoutEffect, useMemo, type ReactNode} from 'react';
// Ink exports the hook and not the context. Without it the `useInput` of a package hears every key of the terminal beside the
// dispatcher, and several of one read before it is drawn again, of which it then loses all but the last.
import StdinContext from '../../../../node_modules/ink/build/components/StdinContext.js';
import type {Registry} from './dispatch.ts';
import {RegistryContext} from './registry-context.ts';

/** Keys as the packages read them. */
export const KEY = {
	up: '\u001B[A',
	down: '\u001B[B',
	right: '\u001B[C',
	left: '\u001B[D',
	enter: '\r',
	backspace: '\u007F',
} as const;

/** How long keys wait for a package that is not on screen yet, in ms. */
const HOLD = 3000;

const createOwnInput = (registry: Registry) => {
	const emitter = new EventEmitter();
	let queue: readonly string[] = [];
	let isMounted = false;
	let since = 0;
	const next = (): void => {
		const [key, ...later] = queue;
		if (key === undefined) {
			registry.isBusy = false;
			registry.arrived();
			return;
		}
		if (isMounted && emitter.listenerCount('input') > 0) {
			queue = later;
			emitter.emit('input', key);
		} else if (Date.now() - since > HOLD) queue = [];
		// What a key changes in the store is told in one turn of the event loop and drawn by the next.
		setImmediate(() => setImmediate(next));
	};
	return {
		emitter,
		mount() {
			isMounted = true;
			return () => {
				isMounted = false;
				queue = [];
			};
		},
		/** Gives the package these keys, each after what the one before has changed is drawn; the dispatcher holds all others until then. */
		press(...keys: readonly string[]) {
			queue = [...queue, ...keys];
			if (registry.isBusy) return;
			registry.isBusy = true;
			since = Date.now();
			next();
		},
	};
};
export type OwnInput = ReturnType<typeof createOwnInput>;

export const useOwnInput = (): OwnInput => {
	const registry = useContext(RegistryContext);
	return useMemo(() => createOwnInput(registry), [registry]);
};

/** Below it a package of Ink's, such as ink-select-input, hears the keys of `input` and no others. */
export const OwnInputProvider = ({
	input,
	children,
}: {
	readonly input: OwnInput;
	readonly children: ReactNode;
}) => {
	const stdin = use(StdinContext);
	useLayoutEffect(() => input.mount(), [input]);
	const own = useMemo(() => ({...stdin, internal_eventEmitter: input.emitter}), [stdin, input]);
	return <StdinContext value={own}>{children}</StdinContext>;
};
