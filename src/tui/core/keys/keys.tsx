import {useInput, usePaste, useWindowSize} from 'ink';
import {useContext, useEffect, useLayoutEffect, useMemo, useRef, type ReactNode} from 'react';
import type {KeyTurn} from '../key-turn.ts';
import {StoreContext} from '../store-context.ts';
import type {Handlers, TextHandler} from '../room.ts';
import {createDispatcher, createRegistry} from './dispatch.ts';
import type {Scope} from '../program.ts';
import {RegistryContext} from './registry-context.ts';

/** The one reader of keys and pastes in the program: Ink hands every key to every `useInput`, so ranks are decided here. */
export const KeysProvider = ({
	turn: {store, during},
	children,
}: {
	readonly turn: KeyTurn;
	readonly children: ReactNode;
}) => {
	const registry = useMemo(createRegistry, []);
	const size = useRef({columns: 80, rows: 24});
	size.current = useWindowSize();
	const dispatcher = useMemo(() => createDispatcher(store, registry, () => size.current), [store, registry]);
	useEffect(() => dispatcher.watch(), [dispatcher]);
	useInput((input, key) => during(() => dispatcher.input(input, key)));
	usePaste(text => during(() => dispatcher.paste(text)));
	return (
		<StoreContext value={store}>
			<RegistryContext value={registry}>{children}</RegistryContext>
		</StoreContext>
	);
};

/** Answers the keys of a scope, every action of it, as long as the component is on screen. Ranks follow from the scope, not from here. */
export const useKeys = <S extends Scope>(scope: S, handlers: Handlers<S>, onText?: TextHandler): void => {
	const registry = useContext(RegistryContext);
	useLayoutEffect(() => {
		registry.handlers.set(scope, handlers);
		if (onText) registry.text.set(scope, onText);
		registry.arrived();
		return () => {
			if (registry.handlers.get(scope) === handlers) registry.handlers.delete(scope);
			if (registry.text.get(scope) === onText) registry.text.delete(scope);
		};
	});
};

/** Does what a key of the table does, from a list of actions. */
export const useAct = (): ((scope: Scope, action: string) => void) => {
	const registry = useContext(RegistryContext);
	return (scope, action) => registry.act(scope, action);
};
