import type {StateCreator} from 'zustand/vanilla';
import type {Listing} from '../api/client-types.ts';
import type {Environment} from '../contract/environments.ts';
import {listFilter} from '../query/text-filter.ts';
import type {Deps} from './deps.ts';
import {lastResult} from './last-result.ts';
import type {ListView} from './lists.ts';
import {idle, newestWins, type Remote} from './remote.ts';

export type EnvironmentsSlice = {
	readonly environments: Remote<Listing<Environment>>;
	refreshEnvironments(): Promise<void>;
};

export const createEnvironmentsSlice = ({client, now}: Deps): StateCreator<EnvironmentsSlice, [], [], EnvironmentsSlice> => (set, get) => {
	const load = newestWins<Listing<Environment>>(() => get().environments, environments => set({environments}), now);
	return {
		environments: idle,
		refreshEnvironments: () => load(async signal => (await client()).environments({signal})),
	};
};

const NONE: readonly Environment[] = [];
const passing = lastResult(listFilter<Environment>(({environment_id: id, name, description}) => [id, name, description].join('\n')));

/** The environments that pass the filter of the list. */
export const shownEnvironments = ({environments, lists}: Pick<EnvironmentsSlice, 'environments'> & {readonly lists: {readonly environments: Pick<ListView, 'filter'>}}): readonly Environment[] =>
	passing(environments.value?.items ?? NONE, lists.environments.filter.text);
