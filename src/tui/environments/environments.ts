import type {Listing} from '../../api/client-types.ts';
import type {EnvironmentContents} from '../../contract/environment-setup.ts';
import type {Environment} from '../../contract/environments.ts';
import {listFilter} from '../../query/text-filter.ts';
import type {State} from '../core/program.ts';
import {retryUntilLoaded} from '../core/store/retry.ts';
import {lastResult} from '../core/store/last-result.ts';
import type {ListView} from '../core/store/lists.ts';
import {idle, latestOnly, type Remote} from '../core/store/remote.ts';
import {part, type App} from '../core/app.ts';

export type EnvironmentsState = {
	readonly environments: Remote<Listing<Environment>>;
	/** Contents by environment id. Environments that the service does not describe are missing. */
	readonly contents: ReadonlyMap<string, EnvironmentContents>;
	/** Scroll position of the description of environment `id`; ignored for other environments. */
	readonly description: {readonly id: string; readonly top: number};
};

export type EnvironmentList = {
	refreshEnvironments(): Promise<void>;
	/** Stops the request in progress; false if there is none. */
	stopLoading(): boolean;
	scrollDescription(id: string, top: number): void;
};

const firstEnvironments = (): EnvironmentsState => ({
	environments: idle,
	contents: new Map(),
	description: {id: '', top: 0},
});

export const environmentList = part(
	'environmentList',
	({get, set, deps: {client, now}}: App): EnvironmentList => {
		const load = latestOnly<Listing<Environment>>(
			() => get().environments,
			environments => set({environments}),
			now,
		);
		const again = retryUntilLoaded(
			{read: () => get().environments, write: environments => set({environments}), now},
			async () => environmentList(get).refreshEnvironments(),
		);
		return {
			scrollDescription: (id, top) => set({description: {id, top}}),
			stopLoading: () => load.stop(),
			async refreshEnvironments() {
				await load(async signal => (await client()).environments({signal}));
				// Only our own service has this endpoint.
				if (get().isLocal && get().environments.status === 'ready') {
					const reply = await (await client()).environmentContents();
					if (reply.ok) set({contents: new Map(reply.value.map(each => [each.environment_id, each]))});
				}
				again();
			},
		};
	},
	firstEnvironments,
);

const NONE: readonly Environment[] = [];
const passing = lastResult(
	listFilter<Environment>(({environment_id: id, name, description}) => [id, name, description].join('\n')),
);

export const shownEnvironments = ({
	environments,
	lists,
}: Pick<EnvironmentsState, 'environments'> & {
	readonly lists: {readonly environments: Pick<ListView, 'filter'>};
}): readonly Environment[] => passing(environments.value?.items ?? NONE, lists.environments.filter.text);

/** First visible row of an environment's description; 0 unless the user has scrolled it. */
export const topOf = ({description}: Pick<State, 'description'>, id: string | undefined): number =>
	description.id === id ? description.top : 0;
