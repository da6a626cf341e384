import {gpuModelsOf, hostsOf, regionsOf} from '../query/values.ts';
import {computeIdOf} from '../query/option.ts';
import {readSettings} from '../settings/settings.ts';
import type {Context} from './context.ts';

/** Names that a shell's completion asks for while a line is typed. */
export const LIVE = ['servers', 'regions', 'gpus', 'hosts', 'environments', 'computes', 'profiles'] as const;
export type Live = (typeof LIVE)[number];

const isLive = (kind: string): kind is Live => (LIVE as readonly string[]).includes(kind);

const namesOf = async (context: Context, kind: Live): Promise<readonly string[]> => {
	if (kind === 'profiles') return [...readSettings().profiles.keys()];
	const {client} = await context.connect();
	const call = {signal: context.signal};
	if (kind === 'servers') {
		const reply = await client.servers(call);
		return reply.ok ? reply.value.items.map(({name}) => name) : [];
	}
	if (kind === 'environments') {
		const reply = await client.environments(call);
		return reply.ok ? reply.value.items.map(each => each.environment_id) : [];
	}
	const reply = await client.compute(call);
	if (!reply.ok) return [];
	const {items} = reply.value;
	return {
		regions: () => regionsOf(items).map(({region}) => region),
		gpus: () => gpuModelsOf(items).map(({model}) => model),
		hosts: () => hostsOf(items).map(({host}) => host),
		computes: () => items.map(option => computeIdOf(option).id),
	}[kind]();
};

// What no one would type, and what acts on a terminal or misleads a reader.
const UNTYPED = /[\p{C}\u2028\u2029]/u;

/** For the completion scripts: a name a line. Silent whatever goes wrong, since a person is typing there. */
export const printCandidates = async (context: Context, kind: string): Promise<number> => {
	try {
		const names = isLive(kind) ? await namesOf(context, kind) : [];
		await context.stdout.write([...new Set(names)].filter(name => name !== '' && !UNTYPED.test(name)).map(name => `${name}\n`).join(''));
	} catch {
		// Nothing to offer.
	}
	return 0;
};
