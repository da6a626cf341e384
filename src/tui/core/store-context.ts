import {createContext, useContext} from 'react';
import {useStore} from 'zustand';
import {useShallow} from 'zustand/react/shallow';
import type {State, Store} from './program.ts';

/** The program's store; main.tsx provides it. */
export const StoreContext = createContext<Store>(undefined as never);

/** Part of the state; the component is drawn again when it changes. */
export const useApp = <T>(select: (state: State) => T): T => useStore(useContext(StoreContext), select);

/** Some fields of the state. */
export const useFields = <Name extends keyof State>(...names: readonly Name[]): Pick<State, Name> =>
	useApp(
		useShallow(state => Object.fromEntries(names.map(name => [name, state[name]])) as Pick<State, Name>),
	);

/** The state at the moment of asking, for handlers. */
export const useGetState = (): (() => State) => useContext(StoreContext).getState;
