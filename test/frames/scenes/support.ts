import type {Client} from '../../../src/api/client-types.ts';
import type {Failure} from '../../../src/api/failure.ts';
import type {ProfileInfo} from '../../../src/settings/profile.ts';
import type {Screen} from '../../../src/tui/core/program.ts';
import type {State, Store} from '../../../src/tui/core/program.ts';
import {compute, environments, fileAt, listing, missing, servers} from '../data.ts';
import {reply, type Answer} from '../scene.ts';
import {control} from '../../../src/tui/core/store/session.ts';
import {serverList} from '../../../src/tui/servers/servers.ts';
import {catalogue} from '../../../src/tui/compute/catalogue.ts';
import {environmentList} from '../../../src/tui/environments/environments.ts';
import {route} from '../../../src/tui/core/store/route.ts';

const FACTS: ProfileInfo = {
	serviceName: 'nb.example',
	isLocal: false,
	readOnly: false,
	live: true,
	currency: '',
	dailyLimit: null,
	colour: 'green',
	models: [],
};
export const deps = {facts: FACTS} as const;

/** The server of all panes. */
export const SERVER = 'trainer';

const list = <T>(answer: Answer<readonly T[]>) =>
	reply('object' === typeof answer && 'value' in answer ? {value: listing(answer.value)} : answer);

type Lists = {
	readonly servers?: Answer<typeof servers>;
	readonly compute?: Answer<typeof compute>;
	readonly environments?: Answer<typeof environments>;
};
/** Responses to the requests for the three lists, full by default. */
export const lists = (answers: Lists = {}): Partial<Client> => ({
	servers: async () => list(answers.servers ?? {value: servers}),
	compute: async () => list(answers.compute ?? {value: compute}),
	environments: async () => list(answers.environments ?? {value: environments}),
});

export const files: Partial<Client> = {
	getFile: async (_, path) => {
		const found = fileAt(path);
		return reply(found ? {value: found} : {failure: missing(`/servers/${SERVER}/files/${path}`)});
	},
	getTaggedFile: async (_, path) => {
		const found = fileAt(path);
		return reply(
			found ? {value: {entry: found, tag: null}} : {failure: missing(`/servers/${SERVER}/files/${path}`)},
		);
	},
};

export const failed = (failure: Failure): Answer<never> => ({failure});
export const nothing: Answer<readonly never[]> = {value: []};

/**
 * Loads all three lists, as the program does at its start. Does not wait for a list that never
 * arrives.
 */
export const ask = async (store: Store): Promise<void> => {
	control(store.getState).setConnection({status: 'ready'});
	const asked = Promise.all([
		serverList(store.getState).refreshServers(),
		catalogue(store.getState).refreshCompute(),
		environmentList(store.getState).refreshEnvironments(),
	]);
	await Promise.race([asked, new Promise(resolve => setImmediate(resolve))]);
};

/** Opens a screen. Panes show the server, with files and cells. */
export const goTo =
	(screen: Screen) =>
	async (store: Store): Promise<void> => {
		await ask(store);
		route(store.getState).chooseServer(SERVER, screen);
	};

export const until = async (store: Store, holds: (state: State) => boolean): Promise<void> =>
	new Promise(resolve => {
		if (holds(store.getState())) return resolve();
		// Outputs reach the store through an unreferenced timer. The open port keeps this process
		// alive until then.
		const {port1: alive} = new MessageChannel();
		alive.onmessage = () => {};
		const stop = store.subscribe(state => {
			if (!holds(state)) return;
			stop();
			alive.close();
			resolve();
		});
	});
