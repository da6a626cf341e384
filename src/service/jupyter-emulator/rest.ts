// REST responses of a Jupyter server: its state, kernels, sessions and files. All kernel ids are
// aliases of one kernel. A client that starts a kernel gets an id of its own, and releases that id
// alone.
import {randomUUID} from 'node:crypto';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {isRecord} from '../../text/record.ts';
import type {ContentsCall} from './contents.ts';
import type {Metrics} from './load.ts';
import {SHARED, type EmulatedKernel, type KernelModel} from './emulated-kernel.ts';
import type {Line} from './replay-buffer.ts';

/** Version of Jupyter Server's API. */
const INTERFACE_VERSION = '2.14.0';
const MOST_SESSIONS = 100;
/** Limit of kernels that clients have started and not shut down. */
const MOST_STARTED = 100;
/** Path of the service's own session, named as in the other engines. */
const OWN_PATH = `svc-tui-${DEFAULT_KERNEL}`;

type Body = Readonly<Record<string, unknown>>;
export type Reply = {
	readonly status: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	/** Called once the response has been sent. */
	readonly afterwards?: () => void;
};

type Session = {readonly id: string; path: string; name: string; type: string};

export type Rest = {
	/** `path` is below the server's address, decoded. */
	answer(call: ContentsCall): Promise<Reply>;
	/** The kernel of this id, or null. */
	kernel(id: string): EmulatedKernel | null;
	/** Lists the kernel, because the service itself now uses it. */
	begin(): void;
	lastUsed(): number;
	close(): void;
};

const text = (value: unknown, otherwise: string): string =>
	typeof value === 'string' && value.length <= 4096 ? value : otherwise;
const refuse = (status: number, message: string): Reply => ({status, body: {message, reason: null}});
const noKernel = (): Reply => refuse(404, 'There is no such kernel. GET api/kernels lists all kernels.');

export const createRest = ({
	openKernel,
	contents,
	onShutDown,
	load,
	python,
}: {
	/** Opens the kernel, at first and after each shutdown. */
	readonly openKernel: () => EmulatedKernel;
	readonly contents: (call: ContentsCall) => Promise<Reply>;
	/** Called when the server itself should end. */
	readonly onShutDown: () => void;
	/** Resource use of the kernel with this id; null before there is a kernel. */
	readonly load: (kernel: string | null) => Promise<Metrics>;
	/** Version of Python. */
	readonly python: string;
}): Rest => {
	const startedAt = new Date().toISOString();
	const sessions = new Map<string, Session>();
	let kernel = openKernel();
	/** Ids of kernels that clients have started, with their open connections. */
	const started = new Map<string, Set<Line>>();

	const spec = {
		name: DEFAULT_KERNEL,
		spec: {
			argv: [],
			env: {},
			display_name: `Python ${python} (embedded)`,
			language: 'python',
			interrupt_mode: 'message',
			metadata: {},
		},
		resources: {},
	};
	const kernels = (): readonly KernelModel[] => [
		// The kernel is listed only once it has a session.
		...(sessions.size > 0 ? [kernel.model()] : []),
		...[...started].map(([id, lines]) => ({...kernel.model(), id, connections: lines.size})),
	];
	const isShared = (): boolean => sessions.size + started.size > 1;
	const model = ({id, path, name, type}: Session) => ({
		id,
		path,
		name,
		type,
		kernel: kernel.model(),
		notebook: {path, name},
	});
	const openSession = (body: Body): Reply => {
		const path = text(body['path'], '');
		const known = [...sessions.values()].find(session => session.path === path);
		if (known) return {status: 201, body: model(known)};
		if (sessions.size >= MOST_SESSIONS)
			return refuse(503, `There are ${MOST_SESSIONS} sessions. End one of them first.`);
		const session = {
			id: randomUUID(),
			path,
			name: text(body['name'], ''),
			type: text(body['type'], 'notebook'),
		};
		sessions.set(session.id, session);
		return {status: 201, body: model(session)};
	};
	/** Ends the kernel with its variables; later requests get a new kernel. */
	const shutDown = async (): Promise<void> => {
		const old = kernel;
		sessions.clear();
		started.clear();
		old.close();
		await old.restart();
		kernel = openKernel();
	};
	/** Shuts the kernel down once no session and no client's id is left. */
	const endIfUnused = async (): Promise<void> => {
		if (sessions.size === 0 && started.size === 0) await shutDown();
	};
	const startKernel = (): Reply => {
		if (started.size >= MOST_STARTED)
			return refuse(503, `There are ${MOST_STARTED} kernels. Shut one of them down first.`);
		const id = randomUUID();
		started.set(id, new Set());
		return {
			status: 201,
			body: kernels().find(each => each.id === id),
			headers: {location: `api/kernels/${id}`},
		};
	};
	const release = async (id: string): Promise<void> => {
		for (const line of started.get(id) ?? []) line.close();
		started.delete(id);
		await endIfUnused();
	};
	/** The kernel for the client that started it, which may end it only while no other uses it. */
	const namedKernel = (lines: Set<Line>): EmulatedKernel => {
		const mayEnd = (): boolean => !isShared();
		return {
			...kernel,
			connect(session, line, received) {
				const {receive, leave} = kernel.connect(session, line, received, mayEnd);
				lines.add(line);
				return {
					receive,
					leave() {
						lines.delete(line);
						leave();
					},
				};
			},
		};
	};
	const otherKernel = (body: Body): Reply | null => {
		const asked = isRecord(body['kernel']) ? body['kernel']['name'] : body['name'];
		return typeof asked === 'string' && asked !== '' && asked !== DEFAULT_KERNEL
			? refuse(
					501,
					`There is no kernel ${JSON.stringify(asked)} here: the embedded engine has ${DEFAULT_KERNEL}.`,
				)
			: null;
	};

	const answerKernels = async (method: string, id: string, action: string, body: Body): Promise<Reply> => {
		if (id === '') {
			if (method === 'GET') return {status: 200, body: kernels()};
			if (method !== 'POST') return refuse(405, 'Method not allowed.');
			return otherKernel(body) ?? startKernel();
		}
		const find = (): KernelModel | undefined => kernels().find(each => each.id === id);
		if (!find()) return noKernel();
		if (action === '' && method === 'GET') return {status: 200, body: find()};
		if (action === '' && method === 'DELETE') {
			await (started.has(id) ? release(id) : shutDown());
			return {status: 204};
		}
		if (action === 'interrupt' && method === 'POST') {
			kernel.interrupt();
			return {status: 204};
		}
		if (action === 'restart' && method === 'POST') {
			if (started.has(id) && isShared()) return refuse(409, SHARED);
			await kernel.restart();
			return {status: 200, body: find() ?? kernel.model()};
		}
		return refuse(405, 'Method not allowed.');
	};
	const answerSessions = async (method: string, id: string, body: Body): Promise<Reply> => {
		if (id === '') {
			if (method === 'GET') return {status: 200, body: [...sessions.values()].map(model)};
			if (method !== 'POST') return refuse(405, 'Method not allowed.');
			return otherKernel(body) ?? openSession(body);
		}
		const session = sessions.get(id);
		if (!session) return refuse(404, 'There is no such session. GET api/sessions lists all sessions.');
		if (method === 'PATCH') {
			session.path = text(body['path'], session.path);
			session.name = text(body['name'], session.name);
			session.type = text(body['type'], session.type);
		} else if (method === 'DELETE') {
			sessions.delete(id);
			await endIfUnused();
			return {status: 204};
		} else if (method !== 'GET') return refuse(405, 'Method not allowed.');
		return {status: 200, body: model(session)};
	};

	return {
		async answer(call) {
			const {method, path, body} = call;
			const [api = '', noun = '', id = '', action = '', ...more] = path.split('/');
			if (api !== 'api') return refuse(404, "Jupyter Server's API is below api/.");
			if (noun === 'contents') return contents({...call, path: path.slice('api/contents/'.length)});
			if (noun === 'kernels' && more.length === 0) return answerKernels(method, id, action, body);
			if (noun === 'sessions' && action === '') return answerSessions(method, id, body);
			if (noun === 'shutdown' && id === '')
				return method === 'POST' ? {status: 200, afterwards: onShutDown} : refuse(405, 'Method not allowed.');
			if (method !== 'GET' && !(noun === 'config' && method === 'PATCH'))
				return refuse(405, 'Method not allowed.');
			if (noun === '') return {status: 200, body: {version: INTERFACE_VERSION}};
			if (noun === 'status')
				return {
					status: 200,
					body: {
						connections: kernel.model().connections,
						kernels: kernels().length,
						last_activity: kernel.model().last_activity,
						started: startedAt,
					},
				};
			if (noun === 'metrics' && id === 'v1')
				return {status: 200, body: await load(kernels().length > 0 ? kernel.model().id : null)};
			if (noun === 'me')
				return {
					status: 200,
					body: {
						identity: {
							username: 'user',
							name: 'user',
							display_name: 'user',
							initials: null,
							avatar_url: null,
							color: null,
						},
						permissions: {},
					},
				};
			if (noun === 'kernelspecs') {
				if (id === '')
					return {status: 200, body: {default: DEFAULT_KERNEL, kernelspecs: {[DEFAULT_KERNEL]: spec}}};
				return id === DEFAULT_KERNEL
					? {status: 200, body: spec}
					: refuse(404, `There is no kernel ${JSON.stringify(id)} here.`);
			}
			if (noun === 'terminals' && id === '') return {status: 200, body: []};
			// Front ends store their settings elsewhere.
			if (noun === 'config') return {status: 200, body: {}};
			return refuse(404, 'This server has no such address.');
		},
		kernel(id) {
			const lines = started.get(id);
			if (lines) return namedKernel(lines);
			return sessions.size > 0 && id === kernel.model().id ? kernel : null;
		},
		begin() {
			if (![...sessions.values()].some(({path}) => path === OWN_PATH))
				openSession({path: OWN_PATH, name: `svc-tui ${DEFAULT_KERNEL}`, type: 'console'});
		},
		lastUsed: () => kernel.lastUsed(),
		close: () => kernel.close(),
	};
};
