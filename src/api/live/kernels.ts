import * as z from 'zod';
import type {KernelSpec, ListedKernel, Live, LiveKernels, LiveSession} from '../client-types.ts';
import type {Failure, Reply} from '../failure.ts';
import {resultOrFailure, failureOf} from './rest-failure.ts';
import type {Rest} from './rest.ts';

const GONE: Failure = {
	kind: 'not-found',
	method: 'POST',
	path: '/sessions',
	message: 'The server has no kernel of that name.',
	advice: '":kernel NAME" chooses another one.',
};
// Query that keeps a request from counting as activity. Otherwise watching would keep a server
// running that shuts down when idle.
const WATCHING = 'no_track_activity=1';

const id = z.string().regex(/^[\w-]{1,100}$/);
const models = z.array(
	z.object({
		id,
		name: z.string(),
		execution_state: z.string().nullish(),
		last_activity: z.string().nullish(),
		connections: z.int().nullish(),
	}),
);
const specModels = z.object({
	kernelspecs: z.record(
		z.string(),
		z.object({
			name: z.string(),
			spec: z.object({display_name: z.string().nullish(), language: z.string().nullish()}).nullish(),
		}),
	),
});
/** Sessions that share a kernel. Only our own servers report this. */
const sharedSessions = z.array(
	z.object({
		path: z.string(),
		kernel: z.object({id}).nullable(),
		shared_with: z.array(z.string()).nullish(),
		shared_because: z.string().nullish(),
	}),
);
const namedSessions = z.array(
	z.object({id: z.string(), path: z.string(), kernel: z.object({id, name: z.string()}).nullable()}),
);
const sessionModels = z.array(
	z.object({path: z.string(), type: z.string(), kernel: z.object({id}).nullable()}),
);

type Needs = {
	readonly rest: Rest;
	readonly load: Live['load'];
	/** Id of the session's kernel. Opens the session if necessary. Null if that fails. */
	readonly find: (session: LiveSession) => Promise<string | null>;
	/**
	 * Id of the kernel that the user has chosen for a session, or to which this link is connected
	 * for it. Null if there is neither.
	 */
	readonly current: (session: LiveSession) => Promise<string | null>;
	readonly hears: LiveKernels['hears'];
	readonly end: LiveKernels['end'];
	readonly use: LiveKernels['use'];
	/**
	 * State that the kernel last reported over a channel. Null if there is no channel, or if it
	 * reported none.
	 */
	readonly heardState: (id: string) => Promise<'busy' | 'idle' | null>;
	/**
	 * Finds the channels to a kernel. The caller must call the returned function when the kernel
	 * has restarted or ended.
	 */
	readonly linked: (id: string) => Promise<(how: 'restarting' | 'ended') => void>;
};

/**
 * State of a kernel. The server's state `starting` is unreliable: Jupyter reports it until it
 * receives a status from the kernel. It receives none while no client is connected, and may miss
 * the first status of a new kernel.
 */
const stateOf = (
	{execution_state: state, connections}: z.infer<typeof models>[number],
	heard: 'busy' | 'idle' | null,
): string | null => (state !== 'starting' ? (state ?? null) : (heard ?? (connections === 0 ? null : state)));

export const createKernels = ({
	rest,
	load,
	find,
	current,
	end: endSession,
	hears,
	use,
	heardState,
	linked,
}: Needs): LiveKernels => {
	const order = async (
		kernel: string,
		action: 'interrupt' | 'restart' | 'shutdown',
	): Promise<Reply<null>> => {
		const [method, path] =
			action === 'shutdown'
				? (['DELETE', `kernels/${kernel}`] as const)
				: (['POST', `kernels/${kernel}/${action}`] as const);
		return resultOrFailure(method, `/${path}`, await rest(method, path));
	};
	const end = async (kernel: string, action: 'restart' | 'shutdown'): Promise<Reply<null>> => {
		const hasEnded = await linked(kernel);
		const done = await order(kernel, action);
		if (done.ok) hasEnded(action === 'restart' ? 'restarting' : 'ended');
		return done;
	};
	return {
		async idOf(session) {
			const found = (await current(session)) ?? (await find(session));
			return found === null ? {ok: false, failure: GONE} : {ok: true, value: found};
		},
		async list(session) {
			const [kernels, sessions, used, uses] = await Promise.all([
				rest('GET', `kernels?${WATCHING}`),
				rest('GET', `sessions?${WATCHING}`),
				current(session),
				load(),
			]);
			const found = models.safeParse(kernels?.status === 200 ? kernels.json : undefined).data;
			if (found === undefined) return {ok: false, failure: failureOf('GET', '/kernels', kernels)};
			const paths = sessionModels.safeParse(sessions?.json).data ?? [];
			const ours = used ?? paths.find(({path}) => path === session.path)?.kernel?.id;
			const heard = await Promise.all(found.map(async each => heardState(each.id)));
			return {
				ok: true,
				value: found.map((model, index): ListedKernel => {
					const at = Date.parse(model.last_activity ?? '');
					return {
						id: model.id,
						name: model.name,
						state: stateOf(model, heard[index] ?? null),
						lastActivity: Number.isNaN(at) ? null : at,
						connections: model.connections ?? null,
						memory: uses?.kernels.get(model.id) ?? null,
						sessions: paths
							.filter(({kernel}) => kernel?.id === model.id)
							.map(({type, path}) => ({type, path})),
						isOfSession: model.id === ours,
					};
				}),
			};
		},
		async specs() {
			const answer = await rest('GET', `kernelspecs?${WATCHING}`);
			const found = specModels.safeParse(answer?.status === 200 ? answer.json : undefined).data;
			return (
				(found &&
					Object.values(found.kernelspecs)
						.map(({name, spec}): KernelSpec => ({
							name,
							displayName: spec?.display_name || name,
							language: spec?.language || null,
						}))
						.toSorted((one, other) => (one.name < other.name ? -1 : 1))) ??
				null
			);
		},
		async replace({path: replaced, kernel}) {
			const answer = await rest('GET', `sessions?${WATCHING}`);
			const found = namedSessions.safeParse(answer?.status === 200 ? answer.json : undefined).data;
			if (found === undefined) return {ok: false, failure: failureOf('GET', '/sessions', answer)};
			const session = found.find(({path}) => path === replaced);
			if (session === undefined || session.kernel?.name === kernel) return {ok: true, value: null};
			const path = `sessions/${encodeURIComponent(session.id)}`;
			const hasEnded = session.kernel && (await linked(session.kernel.id));
			const done = resultOrFailure(
				'PATCH',
				`/${path}`,
				await rest('PATCH', path, {kernel: {id: null, name: kernel}}),
			);
			if (done.ok) hasEnded?.('ended');
			return done;
		},
		async sharing(session) {
			const own = (await current(session)) ?? (await find(session));
			if (own === null) return {ok: false, failure: GONE};
			const answer = await rest('GET', `sessions?${WATCHING}`);
			const found = sharedSessions.safeParse(answer?.status === 200 ? answer.json : undefined).data;
			if (found === undefined) return {ok: false, failure: failureOf('GET', '/sessions', answer)};
			const {shared_with: stated, shared_because: why} =
				found.find(({path, kernel}) => path === session.path && kernel?.id === own) ?? {};
			const others = found.filter(({path, kernel}) => kernel?.id === own && path !== session.path);
			return {ok: true, value: {with: stated ?? others.map(({path}) => path), why: why ?? null}};
		},
		end: endSession,
		hears,
		use,
		interrupt: async kernel => order(kernel, 'interrupt'),
		restart: async kernel => end(kernel, 'restart'),
		shutDown: async kernel => end(kernel, 'shutdown'),
	};
};
