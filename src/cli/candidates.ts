import {JOB_NAME, JOBS_FOLDER} from '../api/jobs/job-script.ts';
import {childrenOf} from '../api/file-tree.ts';
import {kernelsOf} from '../query/kernel-names.ts';

import {gpuModelsOf, hostsOf, regionsOf} from '../query/values.ts';
import {computeIdOf} from '../query/option.ts';
import {readSettings} from '../settings/settings.ts';
import type {Context} from './context.ts';
import {SHARED} from './run/shared-kernel.ts';

/** Kinds of names that must be loaded from the service or the settings. */
const LIVE = [
	'servers',
	'serverPaths',
	'remotePaths',
	'jobs',
	'regions',
	'gpus',
	'hosts',
	'environments',
	'kernels',
	'runKernels',
	'detachedRuns',
	'computes',
	'profiles',
] as const;
export type Live = (typeof LIVE)[number];

export const isLive = (kind: unknown): kind is Live => (LIVE as readonly unknown[]).includes(kind);

/** Context of a completion: the server on the line, and the text typed so far. */
export type Typed = {readonly server: string; readonly value: string};

/** Names of one kind. Empty if the service cannot list them. */
export const namesOf = async (
	context: Context,
	kind: Live,
	{server, value}: Typed,
): Promise<readonly string[]> => {
	if (kind === 'profiles') return [...readSettings().profiles.keys()];
	if (kind === 'detachedRuns') {
		const {idsOfDetachedRuns} = await import('./run/detached-ids.ts');
		return idsOfDetachedRuns(context);
	}
	const {client} = await context.connect();
	const call = {signal: context.signal};
	const pathsOn = async (where: string, typed: string): Promise<readonly string[]> => {
		const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
		const path = folder.replace(/\/$/, '');
		const reply = await client.getFile(where, path, call);
		return reply.ok
			? childrenOf(reply.value, path).map(({name, isFolder}) => `${folder}${name}${isFolder ? '/' : ''}`)
			: [];
	};
	const colon = value.indexOf(':') + 1;
	if (kind === 'remotePaths' && colon > 0) {
		const where = value.slice(0, colon);
		return (await pathsOn(where.slice(0, -1), value.slice(colon))).map(path => `${where}${path}`);
	}
	if (kind === 'servers' || kind === 'remotePaths') {
		const reply = await client.servers(call);
		const end = kind === 'servers' ? '' : ':';
		return reply.ok ? reply.value.items.map(({name}) => `${name}${end}`) : [];
	}
	if (kind === 'serverPaths') return pathsOn(server, value);
	if (kind === 'jobs') {
		const reply = await client.getFile(server, JOBS_FOLDER, call);
		return reply.ok
			? childrenOf(reply.value, JOBS_FOLDER).flatMap(({name, isFolder}) =>
					isFolder && JOB_NAME.test(name) ? [name] : [],
				)
			: [];
	}
	if (kind === 'environments') {
		const reply = await client.environments(call);
		return reply.ok ? reply.value.items.map(each => each.environment_id) : [];
	}
	if (kind === 'kernels' || kind === 'runKernels') {
		const [servers, environments] = await Promise.all([client.servers(call), client.environments(call)]);
		const found = servers.ok ? servers.value.items.find(({name}) => name === server) : undefined;
		const names = (environments.ok && kernelsOf(environments.value.items, found?.environment)) || [];
		return kind === 'runKernels' ? [...names, SHARED] : names;
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
