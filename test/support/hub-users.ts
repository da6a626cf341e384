import {expect} from 'vitest';
import type {TestHub} from './hub.ts';
import type {Service} from '../../src/service/serve.ts';
import {
	newHome,
	openProgram,
	runCommand,
	type CommandOptions,
	type CommandResult,
	type Home,
} from './program.ts';
import type {Terminal} from './terminal.ts';

/** The operator's catalogue. */
export const hubCatalogue = {
	compute: [
		{
			name: 'Small',
			cloud_host: 'hub',
			compute_id: 'hub-small',
			cpus: 2,
			memory: '4G',
			num_gpus: 0,
			vram_per_gpu: '0G',
			total_vram: '0G',
			hourly_price: 0.1,
			availability: [{region: 'default', available: true}],
		},
	],
	environments: [
		{environment_id: 'ai', name: 'AI', description: "The hub's image."},
		{environment_id: 'broken', name: 'Broken', description: 'An image that is not there.'},
	],
};

export type User = AsyncDisposable & {
	readonly name: string;
	readonly home: Home;
	/** Home and environment of the user's commands, with their service. */
	readonly place: Pick<CommandOptions, 'home' | 'env'>;
	command(...args: readonly string[]): Promise<CommandResult>;
	/** Creates a server with a command and waits until it is ready. */
	create(server: string): Promise<void>;
	/** Opens the screens, 90 columns wide. */
	open(rows?: number, args?: readonly string[]): Promise<Terminal>;
};

/** Creates a user. `first`: the start of the user's name. */
export type NewUser = (first: string) => Promise<User>;

/**
 * Creates users of a hub that use one of its services. Servers remain on the hub, so every test
 * creates new users.
 */
export const usersOf = (
	hub: Pick<TestHub, 'url' | 'tokenOf'>,
	local: {readonly service: Pick<Service, 'url'>},
): NewUser => {
	let users = 0;
	return async first => {
		const home = await newHome();
		const name = `${first}-${++users}@example.com`;
		const env = {SVC_BASE_URL: local.service.url, SVC_API_KEY: await hub.tokenOf(name)};
		const command: User['command'] = (...args) => runCommand(args, {home, env});
		return {
			name,
			home,
			place: {home, env},
			command,
			async create(server) {
				const {code, stderr, stdout} = await command(
					'server',
					'create',
					server,
					'--environment',
					'ai',
					'--compute',
					'hub-small',
					'--wait',
				);
				expect([code, stderr, stdout]).toEqual([
					0,
					'',
					`${server} is ready, 0.10/h, ${hub.url}/user/${name}/${server}/?token=…\n`,
				]);
			},
			open: (rows = 24, args = []) => openProgram({home, env, args, columns: 90, rows}),
			[Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
		};
	};
};
