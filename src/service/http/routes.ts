import {chat} from '../../contract/assistant.ts';
import {attachServer, detachServer} from '../../contract/attach.ts';
import {runCode} from '../../contract/cells.ts';
import {listCompute, type ComputeOption} from '../../contract/compute.ts';
import {listEnvironments} from '../../contract/environments.ts';
import {putFile, getFile, type FileEntry} from '../../contract/files.ts';
import {
	addHost,
	adoptOnHost,
	hostControl,
	listHosts,
	removeHost,
	serversOnHost,
	openPortOnHost,
	stopOnHost,
} from '../../contract/hosts.ts';
import {getKeyPage} from '../../contract/key-page.ts';
import {getLimits, setLimits} from '../../contract/limits.ts';
import {listModelNames} from '../../contract/model-names.ts';
import {DEFAULT_PORT, MODELS} from '../../contract/names.ts';
import {openProject} from '../../contract/project.ts';
import {createServer, listServers, startServer} from '../../contract/servers.ts';
import {answererOf} from '../assistant/answerer.ts';
import type {AssistantModels} from '../assistant/models/assistant-models.ts';
import {ModelFault} from '../assistant/models/model-fault.ts';
import type {ModelLimits} from '../assistant/models/model-request.ts';
import type {Backend} from '../backend.ts';
import {BEATS, withBeats} from './beats.ts';
import {chatLines} from './chat.ts';
import {ModelsError} from '../../settings/models.ts';
import {etagOf, etagOfUpload, expectedContent, tagOf} from './etag.ts';
import {environmentRoutes} from '../environments/endpoints.ts';
import {ServiceFault} from './fault.ts';
import {changeLines} from './lease-body.ts';
import type {Leases} from '../local/leases.ts';
import type {Log} from '../log.ts';
import {openApiRoutes} from './openapi-route.ts';
import {pageRoutes, type Reach} from './pages.ts';
import {unexpected} from './error-response.ts';
import {oncePer, serveEndpoint, streamedText, type Route} from './route.ts';
import type {Files, LargeContent} from '../../engines/files.ts';
import {signInRoutes} from './sign-in-routes.ts';
import type {Caller} from '../servers.ts';

/**
 * Body of the response for a large file. Same JSON as for a small file, with the content last, for
 * clients that parse the stream.
 */
async function* bodyOf(
	{content: _, ...entry}: FileEntry,
	{json}: LargeContent,
): AsyncGenerator<string | Uint8Array> {
	yield `{"status":"success","content":${JSON.stringify(entry).slice(0, -1)},"content":"`;
	yield* json();
	yield '"}}';
}

/** Route for files whose content is held in memory completely. */
const wholeRoute = (files: Files): Route =>
	serveEndpoint(
		getFile,
		async ({params}) => ({status: 'success' as const, content: await files.get(params['path'] ?? '')}),
		{etag: ({content}) => etagOf(content)},
	);

/** File route that streams large files. */
const fileRoute = (filesOf: (caller: Caller, name: string) => Files | Promise<Files>): Route => {
	const {method, path} = getFile;
	return {
		method,
		path: `/api${path}`,
		async answer(asked) {
			const {caller, params} = asked;
			const files = await filesOf(caller, params['server_name'] ?? '');
			const found = await files.large?.(params['path'] ?? '');
			if (found === undefined) return wholeRoute(files).answer(asked);
			const {entry, large} = found;
			return {
				headers: {'content-type': 'application/json', etag: tagOf(large.digest)},
				body: bodyOf(entry, large),
			};
		},
	};
};

export type RoutesOptions = {
	readonly reach: Reach;
	/** Current models of the assistant. @throws {ModelsError} if the models file is invalid. */
	readonly models: () => AssistantModels;
	readonly modelLimits?: ModelLimits | undefined;
	readonly leases: Leases;
	/** Aborted when the service ends, to end requests that would run indefinitely. */
	readonly ending: AbortSignal;
	/** Ends the service. Null if only its operator may end it. */
	readonly stop: (() => void) | null;
	readonly log: Log;
};

const success = <Fields extends object>(fields: Fields) => ({status: 'success' as const, ...fields});

const modelFailure = (log: Log, model: string, error: unknown): string => {
	if (!(error instanceof ModelFault)) return unexpected(log, error);
	log.line(`${model}: ${error.message}`);
	return error.detail === '' ? error.message : `${error.message} It says: ${error.detail}`;
};

const json = (value: object): {headers: Record<string, string>; body: string} => ({
	headers: {'content-type': 'application/json'},
	body: JSON.stringify(value),
});

/** Time for which the kernel's state should be retained after the lease, in ms. */
const keepIn = (query: string): number => {
	const keep = Number(new URLSearchParams(query).get('keep') ?? 0);
	return Number.isSafeInteger(keep) && keep > 0 ? keep : 0;
};

const there = (attaching: Backend['attaching']): NonNullable<Backend['attaching']> => {
	if (attaching) return attaching;
	throw new ServiceFault(409, "Servers cannot be attached behind a JupyterHub: your servers are the hub's.");
};

/**
 * The user's remote hosts. A shared service has none, because connections would use the operator's
 * SSH keys.
 */
const hostsOf = (remote: Backend['remote']): NonNullable<Backend['remote']> => {
	if (remote) return remote;
	throw new ServiceFault(
		409,
		'This service reaches no hosts over SSH. Only a service that your programs start automatically does.',
	);
};

const stopping = (limits: Backend['limits']): NonNullable<Backend['limits']> => {
	if (limits) return limits;
	throw new ServiceFault(409, 'This service does not limit servers: its hub does.');
};

/**
 * Models of the assistant. Empty if the models file is invalid; the next question reports the
 * reason.
 */
const modelsNow = (models: () => AssistantModels): AssistantModels => {
	try {
		return models();
	} catch (error) {
		if (error instanceof ModelsError) return new Map();
		throw error;
	}
};

const computeAnswer = oncePer((compute: readonly ComputeOption[]) => success({compute: [...compute]}));

export const createRoutes = (
	{
		servers,
		attaching,
		limits,
		projects,
		remote,
		engine,
		keeping,
		keyPage,
		signIn,
		setup,
		catalogue,
	}: Pick<
		Backend,
		| 'servers'
		| 'attaching'
		| 'limits'
		| 'projects'
		| 'remote'
		| 'engine'
		| 'keeping'
		| 'keyPage'
		| 'signIn'
		| 'setup'
		| 'catalogue'
	>,
	{reach, models, modelLimits, leases, ending, stop, log}: RoutesOptions,
): readonly Route[] => [
	serveEndpoint(listServers, async ({caller}) => success({servers: [...(await servers.list(caller))]})),
	serveEndpoint(createServer, ({caller, body}) => servers.create(caller, body), {
		defaults: () => ({port: DEFAULT_PORT}),
	}),
	serveEndpoint(startServer, ({caller, name, body}) => servers.start(caller, name, body), {
		defaults: async ({caller, params}) => ({port: await servers.portOf(caller, params['server_name'] ?? '')}),
	}),
	serveEndpoint(listCompute, ({caller}) => computeAnswer(servers.compute(caller)), {isShared: true}),
	serveEndpoint(listEnvironments, ({caller}) => success({environments: [...servers.environments(caller)]})),
	fileRoute((caller, name) => servers.files(caller, name)),
	serveEndpoint(
		putFile,
		async ({caller, name, params, body, decoded, ifMatch}) => {
			const expected = expectedContent(ifMatch);
			const files = await servers.files(caller, name);
			return success({content: await files.put(params['path'] ?? '', {...body, decoded}, expected)});
		},
		{etag: (_, body, {decoded}) => etagOfUpload({...body, decoded})},
	),
	serveEndpoint(
		runCode,
		async ({caller, name, body, signal}) => success({content: await servers.run(caller, name, body, signal)}),
		{work: 'run', isLarge: true},
	),
	serveEndpoint(
		chat,
		async ({caller, name, params, body, takesThinking, signal}) => {
			const model = MODELS.find(known => known === params['model']);
			if (!model)
				throw new ServiceFault(
					404,
					`There is no model ${JSON.stringify(params['model'])}; the models are ${MODELS.join(', ')}.`,
				);
			const about = await servers.about(caller, name);
			const answerer = answererOf(model, {models, about, limits: modelLimits});
			const onFailure = (error: unknown): string => modelFailure(log, model, error);
			return {
				headers: {...streamedText, ...BEATS, 'x-vercel-ai-data-stream': 'v1'},
				body: withBeats(chatLines(model, body.messages, answerer, {signal, takesThinking, onFailure})),
			};
		},
		{work: 'answer'},
	),
	{
		method: 'GET',
		path: '/local/lease',
		work: 'lease',
		answer({query, signal}) {
			signal.addEventListener('abort', leases.take(keepIn(query)), {once: true});
			return {headers: streamedText, body: changeLines(remote, AbortSignal.any([signal, ending]))};
		},
	},
	{
		method: 'GET',
		path: '/local/kept',
		async answer({caller}) {
			const names = (await keeping?.namesOf(caller.user)) ?? [];
			const until = leases.until();
			return json({
				held: leases.held(),
				until: until === null ? null : new Date(until).toISOString(),
				servers: names.map(name => ({name, engine})),
			});
		},
	},
	{
		method: 'POST',
		path: '/local/stop',
		async answer({caller}) {
			if (stop === null)
				throw new ServiceFault(
					409,
					'This service was started with svc-tui serve. Stop it where it was started.',
				);
			const names = (await keeping?.namesOf(caller.user)) ?? [];
			stop();
			return json({
				held: leases.held(),
				until: null,
				servers: names.map(name => ({name, engine})),
				on_hosts: remote?.running() ?? [],
			});
		},
	},
	serveEndpoint(listModelNames, () => {
		const named = [...modelsNow(models).values()];
		return success({models: named.map(({id, name, model}) => ({id, name: name ?? model}))});
	}),
	{
		...serveEndpoint(getKeyPage, () => success({key_page: keyPage(), browser_sign_in: signIn !== null})),
		open: true,
	},
	...(signIn ? signInRoutes(signIn) : []),
	serveEndpoint(attachServer, async ({caller, body}) => success(await there(attaching).attach(caller, body))),
	serveEndpoint(detachServer, async ({caller, body}) => {
		await there(attaching).detach(caller, body.server_name);
		return success({});
	}),
	serveEndpoint(getLimits, ({caller}) => stopping(limits).answer(caller.user)),
	serveEndpoint(setLimits, ({caller, body}) => stopping(limits).set(caller.user, body)),
	serveEndpoint(openProject, ({caller, body}) => {
		if (projects) return success(projects.open(caller, body));
		throw new ServiceFault(
			409,
			'This service cannot open folders. Only a service that your programs start automatically can.',
		);
	}),
	...openApiRoutes,
	...environmentRoutes(setup, () => catalogue.environments),
	serveEndpoint(listHosts, () => success(hostsOf(remote).list())),
	serveEndpoint(addHost, async ({body}) => success({host: await hostsOf(remote).add(body.host)})),
	serveEndpoint(hostControl, ({body}) => success({control: hostsOf(remote).control(body.host)})),
	serveEndpoint(removeHost, async ({body}) => {
		await hostsOf(remote).remove(body.host);
		return success({});
	}),
	serveEndpoint(serversOnHost, async ({body}) =>
		success({servers: await hostsOf(remote).servers(body.host)}),
	),
	serveEndpoint(adoptOnHost, async ({caller, body}) =>
		success({server: await hostsOf(remote).adopt(caller, body)}),
	),
	serveEndpoint(openPortOnHost, async ({body}) =>
		success({socket: await hostsOf(remote).openPort(body.server_name, body.port)}),
	),
	serveEndpoint(stopOnHost, ({body}) => {
		hostsOf(remote).stop(body.server_name);
		return success({});
	}),
	...pageRoutes(engine, reach),
];
