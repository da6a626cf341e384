import {useInput, usePaste, useWindowSize} from 'ink';
import {useEffect, useMemo, useRef, type ReactNode} from 'react';
import type {MouseEvent} from '../../../text/mouse.ts';
import type {BatchedStore} from '../batched-store.ts';
import {StoreContext} from '../store-context.ts';
import {createDispatcher} from './dispatch.ts';
import {takeMouse} from './mouse.ts';
import {sendKeysToInk} from './ink-input.tsx';

/**
 * Receives all keys and pastes. Ink sends every key to every `useInput`, so a single one decides
 * which scope handles the key.
 */
export const KeysProvider = ({
	turn: {store, during, tell},
	onMouse,
	children,
}: {
	readonly turn: BatchedStore;
	/** Called with the function that handles mouse events. */
	readonly onMouse?: (take: (event: MouseEvent) => void) => void;
	readonly children: ReactNode;
}) => {
	const size = useRef({columns: 80, rows: 24});
	size.current = useWindowSize();
	const dispatcher = useMemo(
		() => createDispatcher(store, {size: () => size.current, press: (...keys) => sendKeysToInk(tell, keys)}),
		[store, tell],
	);
	useEffect(() => dispatcher.watch(), [dispatcher]);
	useEffect(
		() =>
			onMouse?.(event =>
				during(() => {
					const draw = (...keys: readonly string[]): void => sendKeysToInk(tell, keys);
					takeMouse({get: store.getState, ...size.current, act: dispatcher.act, press: draw, draw}, event);
				}),
			),
		[onMouse, during, tell, store, dispatcher],
	);
	useInput((input, key) => during(() => dispatcher.input(input, key)));
	usePaste(text => during(() => dispatcher.paste(text)));
	return <StoreContext value={store}>{children}</StoreContext>;
};
