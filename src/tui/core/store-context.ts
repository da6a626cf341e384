import {createContext, useContext, useMemo} from 'react';
import {useStore} from 'zustand';
import type {State, Store} from './program.ts';

/** The program's store, provided by main.tsx. */
export const StoreContext = createContext<Store>(undefined as never);

const oncePerState = <T>(select: (state: State) => T): ((state: State) => T) => {
	let last: {readonly state: State; readonly value: T} | undefined;
	return state => {
		if (last?.state !== state) last = {state, value: select(state)};
		return last.value;
	};
};

/**
 * Selects part of the state, and redraws the component when that part changes. React calls `select`
 * up to three times per change. A `select` that stays the same function runs once; a new function
 * runs again in each render.
 */
export const useApp = <T>(select: (state: State) => T): T =>
	useStore(
		useContext(StoreContext),
		useMemo(() => oncePerState(select), [select]),
	);

const fieldsOf = <Name extends keyof State>(
	names: readonly Name[],
): ((state: State) => Pick<State, Name>) => {
	let last: Pick<State, Name> | undefined;
	return state => {
		const before = last;
		if (before === undefined || names.some(name => before[name] !== state[name]))
			last = Object.fromEntries(names.map(name => [name, state[name]])) as Pick<State, Name>;
		return last as Pick<State, Name>;
	};
};

/** Selects fields of the state. */
export const useFields = <Name extends keyof State>(...names: readonly Name[]): Pick<State, Name> =>
	useApp(useMemo(() => fieldsOf(names), names));

/** The current state, for handlers. */
export const useGetState = (): (() => State) => useContext(StoreContext).getState;
