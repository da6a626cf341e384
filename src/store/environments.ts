import type {StateCreator} from 'zustand/vanilla';
import type {Listing} from '../api/client-types.ts';
import type {Environment} from '../contract/environments.ts';
import type {Deps} from './deps.ts';
import {idle, newestWins, type Remote} from './remote.ts';

export type EnvironmentsSlice = {
	readonly environments: Remote<Listing<Environment>>;
	readonly environmentCursor: number;
	refreshEnvironments(): Promise<void>;
	moveEnvironmentCursor(to: number): void;
};

export const createEnvironmentsSlice = ({client, now}: Deps): StateCreator<EnvironmentsSlice, [], [], EnvironmentsSlice> => (set, get) => {
	const load = newestWins<Listing<Environment>>(() => get().environments, environments => set({environments}), now);
	return {
		environments: idle,
		environmentCursor: 0,
		refreshEnvironments: () => load(async signal => (await client()).environments({signal})),
		moveEnvironmentCursor: environmentCursor => set({environmentCursor}),
	};
};
