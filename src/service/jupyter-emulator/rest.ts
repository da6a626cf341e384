// REST responses of a Jupyter server: its state, kernels, sessions and files.
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {isRecord} from '../../text/record.ts';
import {ServiceFault} from '../http/fault.ts';
import type {ContentsCall} from './contents.ts';
import type {EmulatedKernel} from './emulated-kernel.ts';
import {createKernels, type KernelsOptions, type ServerKernel} from './kernels.ts';
import type {KernelProcess, Metrics} from './load.ts';
import {createSessions, type SessionRequest} from './sessions.ts';

/** Version of Jupyter Server whose API is emulated. */
const INTERFACE_VERSION = '2.14.0';
/** Maximum number of kernels that clients have started and not shut down. */
const MOST_STARTED = 100;

type Body = Readonly<Record<string, unknown>>;
export type Reply = {
	readonly status: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	/** Called once the response has been sent. */
	readonly afterwards?: () => void;
};

export type Rest = {
	/** Responds to a request. `path` is decoded and relative to the server's address. */
	answer(call: ContentsCall): Promise<Reply>;
	/** Kernel with this id, or null. */
	kernel(id: string): EmulatedKernel | null;
	/** Makes the default kernel appear in lists, because the service itself now uses it. */
	begin(): void;
	lastUsed(): number;
	/** True if code has run in a kernel other than the default one. */
	hasState(): boolean;
	close(): void;
};

const text = (value: unknown): string | undefined =>
	typeof value === 'string' && value.length <= 4096 ? value : undefined;
const refuse = (status: number, message: string): Reply => ({status, body: {message, reason: null}});
const noKernel = (): Reply => refuse(404, 'There is no such kernel. GET api/kernels lists all kernels.');
const noSession = (): Reply => refuse(404, 'There is no such session. GET api/sessions lists all sessions.');

export const createRest = ({
	contents,
	onShutDown,
	load,
	python,
	...options
}: Omit<KernelsOptions, 'defaultSessions' | 'onEnd'> & {
	readonly contents: (call: ContentsCall) => Promise<Reply>;
	/** Called when a client shuts the server down. */
	readonly onShutDown: () => void;
	/** Resource use of the kernels' processes. */
	readonly load: (processes: readonly KernelProcess[]) => Promise<Metrics>;
	/** Version of Python. */
	readonly python: string;
}): Rest => {
	const startedAt = new Date().toISOString();
	const kernels = createKernels({
		...options,
		defaultSessions: () => sessions.ofDefault(),
		onEnd: id => sessions.forgetKernel(id),
	});
	const sessions = createSessions(kernels);
	let starting = 0;

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
	/** Kernels in lists. The default kernel is included only if it has a session. */
	const listed = (): readonly ServerKernel[] => [
		...(sessions.ofDefault() > 0 ? [kernels.main()] : []),
		...kernels.others(),
	];
	const find = (id: string): ServerKernel | undefined => listed().find(kernel => kernel.id === id);
	/** Kernels with separate processes, and the default kernel. */
	const processes = (): readonly ServerKernel[] => [
		kernels.main(),
		...kernels.others().filter(({isDefault}) => !isDefault),
	];
	const lastActivity = (): number =>
		Math.max(...processes().map(({kernel}) => Date.parse(kernel.model().last_activity)));
	const startKernel = async (): Promise<Reply> => {
		if (kernels.others().length + starting >= MOST_STARTED)
			return refuse(503, `There are ${MOST_STARTED} kernels. Shut one of them down first.`);
		starting++;
		const started = await kernels.start().finally(() => starting--);
		const kernel = typeof started === 'string' ? kernels.share(started) : started;
		return {status: 201, body: sessions.kernelModel(kernel), headers: {location: `api/kernels/${kernel.id}`}};
	};
	/**
	 * Parses the fields of a session request.
	 * @throws {ServiceFault} 404 if there is no kernel with the id in the body.
	 */
	const requestOf = (body: Body): SessionRequest => {
		const wanted = isRecord(body['kernel']) ? body['kernel'] : {};
		const id = text(wanted['id']);
		const kernel = id === undefined ? undefined : find(id);
		if (id !== undefined && !kernel)
			throw new ServiceFault(404, 'There is no such kernel. GET api/kernels lists all kernels.');
		return {
			path: text(body['path']),
			name: text(body['name']),
			type: text(body['type']),
			kernel,
			isNewKernel: text(wanted['name']) !== undefined,
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
			if (method === 'GET') return {status: 200, body: listed().map(sessions.kernelModel)};
			if (method !== 'POST') return refuse(405, 'Method not allowed.');
			return otherKernel(body) ?? startKernel();
		}
		const kernel = find(id);
		if (!kernel) return noKernel();
		if (action === '' && method === 'GET') return {status: 200, body: sessions.kernelModel(kernel)};
		if (action === '' && method === 'DELETE') {
			await kernel.end();
			return {status: 204};
		}
		if (action === 'interrupt' && method === 'POST') {
			kernel.kernel.interrupt();
			return {status: 204};
		}
		if (action === 'restart' && method === 'POST') {
			await kernel.restart();
			return {status: 200, body: sessions.kernelModel(kernel)};
		}
		return refuse(405, 'Method not allowed.');
	};
	const answerSessions = async (method: string, id: string, body: Body): Promise<Reply> => {
		if (id === '') {
			if (method === 'GET') return {status: 200, body: sessions.list()};
			if (method !== 'POST') return refuse(405, 'Method not allowed.');
			return otherKernel(body) ?? {status: 201, body: await sessions.open(requestOf(body))};
		}
		if (!sessions.model(id)) return noSession();
		if (method === 'PATCH') {
			const changed = otherKernel(body) ?? {status: 200, body: await sessions.change(id, requestOf(body))};
			return changed.body === undefined ? noSession() : changed;
		}
		if (method === 'DELETE') {
			await sessions.end(id);
			return {status: 204};
		}
		return method === 'GET' ? {status: 200, body: sessions.model(id)} : refuse(405, 'Method not allowed.');
	};

	const respond = async (call: ContentsCall): Promise<Reply> => {
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
					connections: processes().reduce((sum, {kernel}) => sum + kernel.model().connections, 0),
					kernels: listed().length,
					last_activity: new Date(lastActivity()).toISOString(),
					started: startedAt,
				},
			};
		if (noun === 'metrics' && id === 'v1')
			return {
				status: 200,
				body: await load(
					processes().map(each => ({
						id: each.isDefault && !kernels.isDefaultUsed() ? null : each.id,
						pid: each.pid(),
					})),
				),
			};
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
		// Front ends store their settings elsewhere, so this is always empty.
		if (noun === 'config') return {status: 200, body: {}};
		return refuse(404, 'This server has no such address.');
	};

	return {
		answer: call =>
			respond(call).catch((error: unknown) => {
				if (error instanceof ServiceFault) return refuse(error.status, error.message);
				throw error;
			}),
		kernel: id => find(id)?.kernel ?? null,
		begin: () => sessions.begin(),
		lastUsed: () => Math.max(...processes().map(({kernel}) => kernel.lastUsed())),
		hasState: () => processes().some(({kernel, isDefault}) => !isDefault && kernel.holdsVariables()),
		close: () => kernels.close(),
	};
};
