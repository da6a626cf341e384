import * as z from 'zod';
import {isOver} from '../../text/server-states.ts';
import type {ServerItem} from '../../contract/servers.ts';
import type {ClientSettings, LinkInfo, LinkResult, LiveSession} from '../client-types.ts';
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

/**
 * Time limit for the first response, in ms. The caller may try again later. On this machine a
 * server that has ended refuses immediately, so a slow server is busy, for example because it
 * starts several kernels.
 */
const firstResponseMs = ({hostname}: URL): number => (isLoopback(hostname) ? 10_000 : 5000);

const status = z.object({started: z.string(), kernels: z.number()});
const sessionPaths = z.array(z.object({path: z.string()}));
const opened = z.object({id: z.string(), kernel: z.object({id: z.string().regex(/^[\w-]{1,100}$/)})});

/** Reason why a response is not usable, as the end of a sentence. */
const notJupyterReason = ({status: code}: RestResponse): string => {
	if (code >= 300 && code < 400) return 'its address redirects, as to a login page';
	if (isRefusal(code)) return `its address rejected the service's token (${code})`;
	if (isUnavailable(code)) return `its address responds with an error now (${code})`;
	return 'its address is not a Jupyter server';
};

/**
 * Adds the server's CA certificate if the local service reports one. Certificates from any other
 * service are ignored.
 */
const trusting = (target: Target, service: string, authority: unknown): Target =>
	typeof authority === 'string' && isLoopback(URL.parse(service)?.hostname ?? '')
		? {...target, authorities: withAuthority(authority, target.authorities)}
		: target;

/** Removes the client's certificate for other hosts, which must not learn the user's identity. */
const identifiedAt = (service: string, target: Target): Target =>
	URL.parse(service)?.hostname === target.url.hostname ? target : {...target, identity: undefined};

/**
 * Connects to a server's own address if it is a Jupyter server. `servers`: returns the service's
 * current list, or null if that fails. Never rejects.
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
	const target = trusting(
		identifiedAt(settings.baseUrl, found),
		settings.baseUrl,
		server.certificate_authority,
	);
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
	// Limited in time, because the first cell waits for this response.
	const answer = await rest('GET', 'status', undefined, firstResponseMs(url));
	if (answer === null) return {says: 'its address does not respond', mayPass: true};
	if (answer.status !== 200 || !status.safeParse(answer.json).success)
		return {says: notJupyterReason(answer), mayPass: isUnavailable(answer.status)};

	const {authorities, identity, proxy} = target;
	const place = {access, authorities, identity, proxy, lookup};
	/** Channels to kernels, by the path of the session. */
	const kernels = new Map<string, Promise<LiveKernel | null>>();
	/** Ids of opened sessions, by path. */
	const ids = new Map<string, string>();
	/** Channels to kernels with cells of earlier programs, by kernel id and session. */
	const returned = new Map<string, LiveKernel>();
	/** Channels to kernels whose sessions now use another kernel. */
	const laidAside = new Set<LiveKernel>();
	/** Ids of kernels that the user has chosen, by the path of the session. */
	const chosen = new Map<string, string>();
	const findNow = async ({path, type, name, kernel}: LiveSession): Promise<string | null> => {
		if (!/^[\w.-]{1,100}$/.test(kernel)) return null;
		const other = chosen.get(path);
		if (other !== undefined) {
			if ((await rest('GET', `kernels/${other}`))?.status !== 404) return other;
			chosen.delete(path);
		}
		// If there is a session with that path, for example of a browser, Jupyter returns it.
		const made = await rest('POST', 'sessions', {path, type, name, kernel: {name: kernel}});
		const {data} = opened.safeParse(made?.json);
		if (data !== undefined) ids.set(path, data.id);
		return data?.kernel.id ?? null;
	};
	const finding = new Map<string, Promise<string | null>>();
	/** Shared by concurrent callers, because Jupyter would start two kernels for two requests. */
	const find = (session: LiveSession): Promise<string | null> => {
		const known = finding.get(session.path);
		if (known !== undefined) return known;
		const found = findNow(session).finally(() => finding.delete(session.path));
		finding.set(session.path, found);
		return found;
	};
	const open = async (session: LiveSession): Promise<LiveKernel | null> => {
		const id = await find(session);
		if (id === null) return null;
		const before = [...laidAside].find(each => each.id === id && !each.isOver());
		if (before === undefined) return createLiveKernel(id, rest, place, url);
		laidAside.delete(before);
		return before;
	};
	const linked = async (): Promise<readonly LiveKernel[]> => [
		...(await Promise.all(kernels.values())).filter(kernel => kernel !== null),
		...returned.values(),
		...laidAside,
	];
	const load = createLoad(rest);
	/**
	 * True if the session has a kernel. Needed because a request for objects must not start one.
	 */
	const hasKernel = async ({path}: LiveSession): Promise<boolean> => {
		if (kernels.has(path) || chosen.has(path)) return true;
		const found = sessionPaths.safeParse((await rest('GET', 'sessions'))?.json).data;
		return found?.some(each => each.path === path) ?? false;
	};
	const kernelOf = (session: LiveSession): Promise<LiveKernel | null> => {
		const before = kernels.get(session.path);
		const opening = (async () => {
			const known = await before;
			return known && !known.isOver() ? known : open(session);
		})();
		// Stored before it is open, so that concurrent callers share it.
		kernels.set(session.path, opening);
		return opening;
	};

	return {
		live: {
			async run(code, session, onChange, record, how) {
				const known = how?.follows ? kernels.get(session.path) : kernelOf(session);
				const found = (await known) ?? null;
				return found === null ? null : found.run(code, onChange, record, how);
			},
			async goOn(left, {path}, changes) {
				const {kernel: id, session: channel} = left;
				const key = `${id} ${channel}`;
				const known = returned.get(key);
				const found = known ?? createLiveKernel(id, rest, place, url, channel);
				returned.set(key, found);
				// Later cells use the same channel, because a server buffers messages for only one
				// session of a kernel.
				if (!kernels.has(path)) kernels.set(path, Promise.resolve(found));
				return found.goOn(left, changes);
			},
			complete: async (code, cursor, session) => (await kernelOf(session))?.complete(code, cursor) ?? null,
			inspect: async (code, cursor, detail, session) =>
				(await kernelOf(session))?.inspect(code, cursor, detail) ?? null,
			async evaluate(expression, session, how) {
				const kernel = (await hasKernel(session)) ? await kernelOf(session) : null;
				return (await kernel?.evaluate(expression, how)) ?? {end: {kind: 'lost'}, life: null};
			},
			files: createFiles(rest),
			shell: async (size, events) => (await import('./shell.ts')).openShell(rest, place, url, size, events),
			load,
			kernels: createKernels({
				rest,
				load,
				find,
				async end({path}) {
					// Waits for a session that is being opened, because it cannot be deleted yet.
					const known = await kernels.get(path);
					kernels.delete(path);
					known?.close();
					const id = ids.get(path);
					if (id !== undefined) await rest('DELETE', `sessions/${encodeURIComponent(id)}`);
				},
				hears: async session => (await kernelOf(session))?.hears() ?? false,
				async current({path}) {
					const known = await kernels.get(path);
					const isThere = known !== undefined && known !== null && !known.isOver();
					return isThere ? known.id : (chosen.get(path) ?? null);
				},
				use({path}, id) {
					if (id === null) chosen.delete(path);
					else chosen.set(path, id);
					const before = kernels.get(path);
					kernels.delete(path);
					// The previous channel stays open until the running cells of its kernel have
					// ended.
					void before?.then(kernel => kernel && laidAside.add(kernel));
				},
				async heardState(id) {
					const all = (await linked()).filter(kernel => kernel.id === id && !kernel.isOver());
					return all.map(kernel => kernel.heardState()).find(state => state !== null) ?? null;
				},
				async linked(id) {
					const before = (await linked()).filter(kernel => kernel.id === id);
					return how => {
						for (const kernel of before) kernel.hasEnded(how);
					};
				},
			}),
			async shutDown() {
				const before = await linked();
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
