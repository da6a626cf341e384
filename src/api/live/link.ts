import * as z from 'zod';
import {isOver} from '../../text/server-states.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {nameOf} from '../../contract/paths.ts';
import type {ClientSettings, LinkInfo, LinkResult} from '../client-types.ts';
import {isLoopback} from '../../machine/loopback.ts';
import {targetOf, withAuthority, type Target} from '../target.ts';
import {createAccess} from './access.ts';
import {createFiles} from './files.ts';
import {createLiveKernel, type LiveKernel} from './kernel.ts';
import {createKernels} from './kernels.ts';
import {createLoad} from './load.ts';
import {guardedLookup, verdictOnAddress} from './address.ts';
import {resultOrFailure} from './rest-failure.ts';
import {createRest, type RestResponse} from './rest.ts';
import {isUnavailable, isRefusal} from './status.ts';

/** Time limit for the first response, in ms. The caller may try again later. */
const FIRST_RESPONSE_MS = 5000;

const status = z.object({started: z.string(), kernels: z.number()});
const session = z.object({id: z.string(), kernel: z.object({id: z.string().regex(/^[\w-]{1,100}$/)})});

/** Path of the kernel's Jupyter session, shared with the local service's engine. */
const pathOf = (kernel: string): string => `svc-tui-${kernel}`;

/** Reason why a response is not usable, as the end of a sentence. */
const notJupyterReason = ({status: code}: RestResponse): string => {
	if (code >= 300 && code < 400) return 'its address redirects, as to a login page';
	if (isRefusal(code)) return `its address rejected the service's token (${code})`;
	if (isUnavailable(code)) return `its address responds with an error now (${code})`;
	return 'its address is not a Jupyter server';
};

/** Adds the server's CA certificate if the local service reports one. No other service may. */
const trusting = (target: Target, service: string, authority: unknown): Target =>
	typeof authority === 'string' && isLoopback(URL.parse(service)?.hostname ?? '')
		? {...target, authorities: withAuthority(authority, target.authorities)}
		: target;

/**
 * Checks whether a server's own address is a Jupyter server. `servers`: the service's current
 * list, or null if it fails. Never rejects.
 */
export const openLive = async (
	settings: ClientSettings,
	server: Parameters<typeof verdictOnAddress>[1] & LinkInfo,
	allowed: ReadonlySet<string>,
	servers: () => Promise<readonly ServerItem[] | null>,
): Promise<LinkResult> => {
	const judged = verdictOnAddress(settings.baseUrl, server, allowed);
	if (!('place' in judged)) return judged;
	const {url, token} = judged.place;
	const found = targetOf({...settings, baseUrl: url.href});
	if (typeof found === 'string') return {says: 'its address cannot be used'};
	const target = trusting(found, settings.baseUrl, server.certificate_authority);
	const lookup = guardedLookup(settings.baseUrl, url);
	const tokenNow = async (): Promise<string | null> => {
		for (const listed of (await servers()) ?? []) {
			const found = isOver(listed.status) ? null : verdictOnAddress(settings.baseUrl, listed, allowed);
			if (found !== null && 'place' in found && found.place.url.href === url.href) return found.place.token;
		}
		return null;
	};
	const access = createAccess(token, tokenNow);
	const rest = createRest(target, access, lookup);
	// The first cell waits for this response.
	const answer = await rest('GET', 'status', undefined, FIRST_RESPONSE_MS);
	if (answer === null) return {says: 'its address does not respond', mayPass: true};
	if (answer.status !== 200 || !status.safeParse(answer.json).success)
		return {says: notJupyterReason(answer), mayPass: isUnavailable(answer.status)};

	const place = {access, authorities: target.authorities, proxy: target.proxy, lookup};
	const kernels = new Map<string, Promise<LiveKernel | null>>();
	/** Kernels of cells of earlier programs, by kernel id and session. */
	const returned = new Map<string, LiveKernel>();
	/** Linked kernels whose names now refer to another kernel. */
	const laidAside = new Set<LiveKernel>();
	/** Kernel ids that the user has chosen, by name. */
	const chosen = new Map<string, string>();
	const find = async (name: string, notebook?: string): Promise<string | null> => {
		if (!/^[\w.-]{1,100}$/.test(name)) return null;
		const other = notebook === undefined ? chosen.get(name) : undefined;
		if (other !== undefined) {
			if ((await rest('GET', `kernels/${other}`))?.status !== 404) return other;
			chosen.delete(name);
		}
		// A browser with the notebook open uses the session of its path, and so the same kernel.
		const made = await rest(
			'POST',
			'sessions',
			notebook === undefined
				? {path: pathOf(name), type: 'console', name: `svc-tui ${name}`, kernel: {name}}
				: {path: notebook, type: 'notebook', name: nameOf(notebook), kernel: {name}},
		);
		return session.safeParse(made?.json).data?.kernel.id ?? null;
	};
	const open = async (kernel: string, notebook: string | undefined): Promise<LiveKernel | null> => {
		const id = await find(kernel, notebook);
		if (id === null) return null;
		const before = [...laidAside].find(each => each.id === id && !each.isOver());
		if (before === undefined) return createLiveKernel(id, rest, place, url);
		laidAside.delete(before);
		return before;
	};
	const opened = async (): Promise<readonly LiveKernel[]> => [
		...(await Promise.all(kernels.values())).filter(kernel => kernel !== null),
		...returned.values(),
		...laidAside,
	];
	const load = createLoad(rest);
	const keyOf = (name: string, notebook?: string): string => JSON.stringify([name, notebook]);
	const kernelOf = (name: string, notebook?: string): Promise<LiveKernel | null> => {
		const key = keyOf(name, notebook);
		const before = kernels.get(key);
		const opening = (async () => {
			const known = await before;
			return known && !known.isOver() ? known : open(name, notebook);
		})();
		// Stored before it is open, so that concurrent callers share it.
		kernels.set(key, opening);
		return opening;
	};

	return {
		live: {
			async run(code, kernel, onChange, notebook, record, how) {
				const found = await kernelOf(kernel, notebook);
				return found === null ? null : found.run(code, onChange, record, how);
			},
			async goOn(kept, kernel, onChange, record) {
				const {kernel: id, session: channel} = kept.at;
				const key = `${id} ${channel}`;
				const known = returned.get(key);
				const found = known ?? createLiveKernel(id, rest, place, url, channel);
				returned.set(key, found);
				// Later cells share this channel: a server buffers one session of a kernel only.
				if (!kernels.has(keyOf(kernel))) kernels.set(keyOf(kernel), Promise.resolve(found));
				return found.goOn(kept, onChange, record);
			},
			complete: async (code, cursor, kernel, notebook) =>
				(await kernelOf(kernel, notebook))?.complete(code, cursor) ?? null,
			inspect: async (code, cursor, detail, kernel, notebook) =>
				(await kernelOf(kernel, notebook))?.inspect(code, cursor, detail) ?? null,
			files: createFiles(rest),
			shell: async (size, events) => (await import('./shell.ts')).openShell(rest, place, url, size, events),
			load,
			kernels: createKernels({
				rest,
				load,
				find: async kernel => find(kernel),
				hears: async (kernel, notebook) => (await kernelOf(kernel, notebook))?.hears() ?? false,
				async current(name) {
					const known = await kernels.get(keyOf(name));
					const isThere = known !== undefined && known !== null && !known.isOver();
					return {id: isThere ? known.id : (chosen.get(name) ?? null), path: pathOf(name)};
				},
				use(name, id) {
					if (id === null) chosen.delete(name);
					else chosen.set(name, id);
					const before = kernels.get(keyOf(name));
					kernels.delete(keyOf(name));
					// Running cells of the previous kernel continue to their end.
					void before?.then(kernel => kernel && laidAside.add(kernel));
				},
				async heardState(id) {
					const all = (await opened()).filter(kernel => kernel.id === id && !kernel.isOver());
					return all.map(kernel => kernel.heardState()).find(state => state !== null) ?? null;
				},
				async linked(id) {
					const before = (await opened()).filter(kernel => kernel.id === id);
					return how => {
						for (const kernel of before) kernel.hasEnded(how);
					};
				},
			}),
			async shutDown() {
				const before = await opened();
				const done = resultOrFailure('POST', '/shutdown', await rest('POST', 'shutdown'));
				if (done.ok) for (const kernel of before) kernel.hasEnded('ended');
				return done;
			},
			close(isLost) {
				for (const opening of kernels.values()) void opening.then(kernel => kernel?.close(isLost));
				kernels.clear();
				for (const kernel of returned.values()) kernel.close(isLost);
				returned.clear();
				for (const kernel of laidAside) kernel.close(isLost);
				laidAside.clear();
			},
		},
	};
};
