// Jupyter sessions of an embedded server: which path uses which kernel, and which sessions share a
// kernel.
import {randomUUID} from 'node:crypto';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {ServiceFault} from '../http/fault.ts';
import type {KernelModel} from './emulated-kernel.ts';
import type {Kernels, ServerKernel} from './kernels.ts';

const MOST_SESSIONS = 100;
/** Path of the service's own session. Same name as in the other engines. */
export const OWN_PATH = `svc-tui-${DEFAULT_KERNEL}`;

type Session = {
	readonly id: string;
	path: string;
	name: string;
	type: string;
	kernel: ServerKernel;
	/** Reason why the session has no separate process, as a sentence. Null if it has one. */
	sharedBecause: string | null;
};

/**
 * Fields in addition to Jupyter's. `shared_with`: paths of other sessions with the same kernel, and
 * ids of kernels that have no session.
 */
export type Sharing = {
	readonly shared_with: readonly string[] | null;
	readonly shared_because: string | null;
};

export type SessionModel = Sharing & {
	readonly id: string;
	readonly path: string;
	readonly name: string;
	readonly type: string;
	readonly kernel: KernelModel;
	readonly notebook: {readonly path: string; readonly name: string};
};

/**
 * Fields sent by a client. `kernel`: an existing kernel to use. `isNewKernel`: true if the client
 * requests a new kernel.
 */
export type SessionRequest = {
	readonly path: string | undefined;
	readonly name: string | undefined;
	readonly type: string | undefined;
	readonly kernel: ServerKernel | undefined;
	readonly isNewKernel: boolean;
};

export const createSessions = (kernels: Kernels) => {
	const all = new Map<string, Session>();
	/** Sessions whose kernels are starting, by path. */
	const opening = new Map<string, Promise<Session>>();

	const findPath = (path: string): Session | undefined =>
		[...all.values()].find(session => session.path === path);
	const isSame = (one: ServerKernel, other: ServerKernel): boolean =>
		one === other || (one.isDefault && other.isDefault);
	/** Other sessions and kernels that share the process of the kernel. */
	const sharing = (kernel: ServerKernel, self: {readonly path?: string}, because: string | null): Sharing => {
		const sessions = [...all.values()].filter(session => session !== self && isSame(session.kernel, kernel));
		const alone = kernels
			.others()
			.filter(each => each !== kernel && isSame(each, kernel) && !sessions.some(one => one.kernel === each));
		const names = new Set([
			...(kernel.isDefault && self.path !== OWN_PATH ? [OWN_PATH] : []),
			...sessions.map(({path}) => path),
			...alone.map(({id}) => id),
		]);
		return {shared_with: names.size > 0 ? [...names] : null, shared_because: because};
	};
	const model = (session: Session): SessionModel => {
		const {id, path, name, type, kernel, sharedBecause} = session;
		return {
			id,
			path,
			name,
			type,
			kernel: kernel.model(),
			notebook: {path, name},
			...sharing(kernel, session, sharedBecause),
		};
	};
	const add = (
		path: string,
		{name = '', type = 'notebook'}: {readonly name?: string | undefined; readonly type?: string | undefined},
		kernel: ServerKernel,
		sharedBecause: string | null = null,
	): Session => {
		const session = {id: randomUUID(), path, name, type, kernel, sharedBecause};
		all.set(session.id, session);
		return session;
	};
	const newKernel = async (): Promise<readonly [kernel: ServerKernel, because: string | null]> => {
		const started = await kernels.start();
		return typeof started === 'string' ? [kernels.main(), started] : [started, null];
	};
	const openNew = async (path: string, request: SessionRequest): Promise<Session> => {
		if (request.kernel) return add(path, request, request.kernel);
		if (path === OWN_PATH) return add(path, request, kernels.main());
		return add(path, request, ...(await newKernel()));
	};
	/** Ends the kernel if it is no longer used. */
	const release = async (kernel: ServerKernel): Promise<void> => {
		if ([...all.values()].some(session => session.kernel === kernel)) return;
		await (kernel === kernels.main() ? kernels.endDefaultIfUnused() : kernel.end());
	};

	return {
		list: (): readonly SessionModel[] => [...all.values()].map(model),
		model: (id: string): SessionModel | undefined => {
			const session = all.get(id);
			return session && model(session);
		},
		/**
		 * Model of a kernel. Contains the additional fields if its client has to share the kernel.
		 */
		kernelModel: (kernel: ServerKernel): KernelModel & Partial<Sharing> =>
			kernel.sharedBecause === null
				? kernel.model()
				: {...kernel.model(), ...sharing(kernel, {}, kernel.sharedBecause)},
		/**
		 * Opens a session with its own kernel. Returns the existing session if there is one with
		 * this path.
		 */
		async open(request: SessionRequest): Promise<SessionModel> {
			const {path = ''} = request;
			const known = findPath(path) ?? opening.get(path);
			if (known) return model(await known);
			if (all.size + opening.size >= MOST_SESSIONS)
				throw new ServiceFault(503, `There are ${MOST_SESSIONS} sessions. End one of them first.`);
			const starting = openNew(path, request);
			opening.set(path, starting);
			return model(await starting.finally(() => opening.delete(path)));
		},
		/** Changes only the given fields, as Jupyter does. */
		async change(id: string, request: SessionRequest): Promise<SessionModel | undefined> {
			const session = all.get(id);
			if (!session) return undefined;
			Object.assign(session, {
				path: request.path ?? session.path,
				name: request.name ?? session.name,
				type: request.type ?? session.type,
			});
			const old = session.kernel;
			if (request.kernel) {
				if (request.kernel !== old) Object.assign(session, {kernel: request.kernel, sharedBecause: null});
			} else if (request.isNewKernel && session.path !== OWN_PATH) {
				const [kernel, sharedBecause] = await newKernel();
				Object.assign(session, {kernel, sharedBecause});
			}
			if (session.kernel !== old) await release(old);
			return model(session);
		},
		/** Ends a session. Also ends its kernel if no other session uses it. */
		async end(id: string): Promise<void> {
			const session = all.get(id);
			all.delete(id);
			if (session) await release(session.kernel);
		},
		/** Number of sessions that use the default kernel's variables. */
		ofDefault: (): number => [...all.values()].filter(({kernel}) => kernel.isDefault).length,
		/** Removes the sessions of a kernel that has ended. */
		forgetKernel(id: string): void {
			const isGone = ({kernel}: Session): boolean =>
				kernel.id === id || (id === kernels.main().id && kernel.isDefault);
			for (const session of [...all.values()]) if (isGone(session)) all.delete(session.id);
		},
		/** Opens the service's own session, because the service now uses the default kernel. */
		begin(): void {
			if (!findPath(OWN_PATH))
				add(OWN_PATH, {name: `svc-tui ${DEFAULT_KERNEL}`, type: 'console'}, kernels.main());
		},
	};
};
