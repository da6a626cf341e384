import {useInput, usePaste} from 'ink';
import {createContext, useContext, useLayoutEffect, useMemo, type ReactNode} from 'react';
import type {KeyTurn} from '../key-turn.ts';
import {StoreContext} from '../store-context.ts';
import {createDispatcher, createRegistry, type Handlers, type TextHandler} from './dispatch.ts';
import type {Scope} from './keymap.ts';

const RegistryContext = createContext(createRegistry());

/** The one reader of keys and pastes in the program: Ink hands every key to every `useInput`, so ranks are decided here. */
export const KeysProvider = ({turn: {store, during}, children}: {readonly turn: KeyTurn; readonly children: ReactNode}) => {
	const registry = useMemo(createRegistry, []);
	const dispatcher = useMemo(() => createDispatcher(store, registry), [store, registry]);
	useInput((input, key) => during(() => dispatcher.input(input, key)));
	usePaste(text => during(() => dispatcher.paste(text)));
	return <StoreContext value={store}><RegistryContext value={registry}>{children}</RegistryContext></StoreContext>;
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
