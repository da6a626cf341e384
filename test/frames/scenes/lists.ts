import {broken, compute, servers, unreachable} from '../data.ts';
import type {Scene} from '../scene.ts';
import {ask, deps, failed, lists, nothing} from './support.ts';
import {server} from '../../support/factories.ts';
import {route} from '../../../src/tui/core/store/route.ts';
import {catalogue} from '../../../src/tui/compute/catalogue.ts';

/** The screens with a single list. */
const screens = ['servers', 'compute', 'environments'] as const;

const plainScenes: readonly Scene[] = screens.flatMap((screen): readonly Scene[] => {
	const scene = (state: string, answer?: Parameters<typeof lists>[0]): Scene => ({
		screen,
		state,
		deps,
		service: () => lists(answer),
		async arrive(store) {
			await ask(store);
			route(store.getState).go(screen);
		},
	});
	let isAway = false;
	return [
		scene('empty', {[screen]: nothing}),
		scene('loading', {[screen]: 'never'}),
		scene('failed', {[screen]: failed(unreachable(`/${screen}`))}),
		scene('full'),
		{
			...scene('not-renewed'),
			service() {
				isAway = false;
				const answers = () => lists(isAway ? {[screen]: failed(broken(`/${screen}`))} : {});
				return {
					servers: async () => answers().servers!(),
					compute: async () => answers().compute!(),
					environments: async () => answers().environments!(),
				};
			},
			async arrive(store, clock) {
				await ask(store);
				isAway = true;
				clock.pass(95_000);
				await ask(store);
				route(store.getState).go(screen);
			},
		},
	];
});

/** Contents of the selected environment, as the local service describes it. */
const contents: Scene = {
	screen: 'environments',
	state: 'contents',
	deps,
	service: () => lists(),
	async arrive(store) {
		await ask(store);
		const id = store.getState().environments.value?.items[0]?.environment_id ?? '';
		store.setState({
			contents: new Map([
				[
					id,
					{
						environment_id: id,
						source: 'Pyodide 314.0.7, embedded in this program',
						python: '3.14.2',
						packages: [
							{name: 'numpy', version: '2.4.6'},
							{name: 'pandas', version: '3.0.2'},
							{name: 'own', version: null},
						],
						size: 12_300_000,
						state: 'download',
						download: {from: 'cdn.jsdelivr.net', files: 4, bytes: null, allowed: false},
						installs: null,
						own: false,
					},
				],
			]),
		});
		route(store.getState).go('environments');
	},
};

/** An idle server with costs, on a day that exceeds its limit. */
const idle: Scene = {
	screen: 'servers',
	state: 'idle',
	deps,
	service: () => lists(),
	async arrive(store, clock) {
		await ask(store);
		store.setState({
			idle: new Map([['trainer', clock.now() - 52 * 60_000]]),
			overLimit: 21.3,
			dailyLimit: 20,
		});
	},
};

/** A server that the service is about to stop. */
const stopping: Scene = {
	screen: 'servers',
	state: 'stopping',
	deps,
	service: () => ({
		...lists(),
		async servers() {
			const stop = {
				...{idle_stop: '1h', max_run: '8h', stop_cause: 'run-time', stops_soon: true},
				stops_at: new Date(Date.now() + 8 * 60_000).toISOString(),
			};
			const value = servers.map(server => (server.name === 'trainer' ? {...server, ...stop} : server));
			return lists({servers: {value}}).servers!();
		},
	}),
	async arrive(store) {
		await ask(store);
	},
};

/** Servers on hosts: a job near its time limit, a queued job, and hosts that cannot be used. */
const onHosts: Scene = {
	screen: 'servers',
	state: 'on-hosts',
	deps,
	service: () => ({
		...lists(),
		async servers() {
			const on = (name: string, status: string, more: object) =>
				server({
					...{name, status, host: 'cluster', environment: 'cluster-python3'},
					...{server_request: 'cluster-gpu-a100x2', url: null, ...more},
				});
			const value = [
				on('evaluate', 'ready', {
					...{stops_at: new Date(Date.now() + 8 * 60_000).toISOString()},
					...{stop_cause: 'time-limit', stops_soon: true},
				}),
				on('queued', 'starting', {status_reason: 'Waits in the queue (Resources), 3rd of 7, about 14:20.'}),
				on('away', 'unreachable', {
					status_reason: 'No connection to cluster since 12:04. Its kernel keeps running; trying again.',
				}),
				on('secured', 'locked', {status_reason: 'cluster asks for a password or a code.'}),
				on('ending', 'stopping', {status_reason: 'Its job is being cancelled.'}),
				on('silent', 'error', {
					status_reason:
						'Jupyter Server on cluster opened its socket, but did not answer within 2 minutes, and was ended.',
				}),
			];
			return lists({servers: {value}}).servers!();
		},
	}),
	async arrive(store) {
		await ask(store);
	},
};

/** Grouped offers with one unfolded group. Changed offers are marked. */
const groups: Scene = {
	screen: 'compute',
	state: 'groups',
	deps,
	service() {
		let times = 0;
		const later = compute.map((option, index) => ({
			...option,
			hourly_price: option.hourly_price * [1, 1, 1.25, 1, 0.75][index % 5]!,
			availability:
				index % 4 === 3
					? option.availability.map(each => ({...each, available: false}))
					: option.availability,
		}));
		const answers = () => lists({compute: {value: times++ === 0 ? compute.slice(1) : later}});
		return {...lists(), compute: async () => answers().compute!()};
	},
	async arrive(store) {
		await ask(store);
		await catalogue(store.getState).refreshCompute();
		catalogue(store.getState).groupCompute('gpu');
		for (const name of ['no GPU', 'A100 80G', 'H100']) catalogue(store.getState).fold(name, true);
		route(store.getState).go('compute');
	},
};

export const listScenes: readonly Scene[] = [...plainScenes, groups, contents, idle, stopping, onHosts];
