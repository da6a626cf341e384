import {Hono} from 'hono';
import {chat} from '../../contract/assistant.ts';
import {runCode} from '../../contract/cells.ts';
import {listCompute} from '../../contract/compute.ts';
import {listEnvironments} from '../../contract/environments.ts';
import {getFile, putFile} from '../../contract/files.ts';
import {DEFAULT_PORT, MODELS} from '../../contract/names.ts';
import {createServer, listServers, startServer} from '../../contract/servers.ts';
import {FileFault} from '../../engines/files.ts';
import {answererOf} from '../assistant/answerer.ts';
import type {AssistantModels} from '../assistant/models/assistant-models.ts';
import {ModelFault} from '../assistant/models/model-fault.ts';
import type {ModelLimits} from '../assistant/models/model-request.ts';
import type {Catalogue} from '../catalogue/catalogue.ts';
import type {EngineName} from '../catalogue/own-options.ts';
import {chatLines, streamOf} from './chat.ts';
import {etagOf, expectedContent} from './etag.ts';
import {faultBody, jsonType, ServiceFault} from './fault.ts';
import type {Leases} from '../local/leases.ts';
import type {Log} from '../log.ts';
import {openRoutes, pageText, probeRoutes, thumbImage, thumbPath, type Reach} from './pages.ts';
import {serveRow, type Asked, type Route} from './route.ts';
import type {RoutePattern} from './route-pattern.ts';
import type {Servers} from '../local/servers.ts';
import {storageFault} from '../local/storage-fault.ts';

export type AppOptions = {
	readonly servers: Servers;
	readonly engine: EngineName;
	readonly reach: Reach;
	readonly catalogue: Catalogue;
	readonly models: AssistantModels;
	readonly modelLimits?: ModelLimits | undefined;
	readonly leases: Leases;
	readonly log: Log;
};

/** Hono's environment: what the guard let through. */
export type AppEnv = {Bindings: {readonly asked: Asked}};

/** Of a stream: else nginx would keep it until its end. */
const unbuffered = {'x-accel-buffering': 'no'};

const success = <Fields extends object>(fields: Fields) => ({status: 'success' as const, ...fields});

/** All that the service answers. The guard takes its routes from here, Hono its handlers. */
export const createRoutes = ({
	servers,
	engine,
	reach,
	catalogue,
	models,
	modelLimits,
	leases,
	log,
}: AppOptions): readonly Route[] => [
	serveRow(listServers, async ({caller}) => success({servers: [...(await servers.list(caller))]})),
	serveRow(createServer, ({caller, body}) => servers.create(caller, body), {
		status: 202,
		defaults: () => ({port: DEFAULT_PORT}),
	}),
	serveRow(startServer, ({caller, name, body}) => servers.start(caller, name, body), {
		defaults: async ({caller, params}) => ({port: await servers.portOf(caller, params['server_name'] ?? '')}),
	}),
	serveRow(listCompute, ({caller}) => success({compute: [...servers.compute(caller)]})),
	serveRow(listEnvironments, () => success({environments: [...catalogue.environments]})),
	serveRow(
		getFile,
		async ({caller, name, params}) =>
			success({content: await (await servers.files(caller, name)).get(params['path'] ?? '')}),
		{etag: ({content}) => etagOf(content)},
	),
	serveRow(
		putFile,
		async ({caller, name, params, body, ifMatch}) => {
			const expected = expectedContent(ifMatch);
			return success({
				content: await (await servers.files(caller, name)).put(params['path'] ?? '', body, expected),
			});
		},
		{etag: (_, body) => (body.type === 'directory' ? undefined : etagOf(body))},
	),
	serveRow(
		runCode,
		async ({caller, name, body, signal}) => success({content: await servers.run(caller, name, body, signal)}),
		{work: 'run'},
	),
	serveRow(
		chat,
		async ({caller, name, params, body, signal}) => {
			const model = MODELS.find(known => known === params['model']);
			if (!model)
				throw new ServiceFault(
					404,
					`There is no model ${JSON.stringify(params['model'])}; the models are ${MODELS.join(', ')}.`,
				);
			const answerer = answererOf(model, {
				models,
				about: await servers.about(caller, name),
				limits: modelLimits,
			});
			const lines = chatLines(model, body.messages, answerer, {
				signal,
				onFailure: error => modelFailure(log, model, error),
			});
			return new Response(streamOf(lines), {
				headers: {
					'content-type': 'text/plain; charset=utf-8',
					'x-vercel-ai-data-stream': 'v1',
					...unbuffered,
				},
			});
		},
		{work: 'answer'},
	),
	{
		method: 'GET',
		path: '/local/lease',
		work: 'lease',
		answer: async ({signal}) => {
			signal.addEventListener('abort', leases.take(), {once: true});
			return new Response(new ReadableStream(), {
				headers: {'content-type': 'text/plain; charset=utf-8', ...unbuffered},
			});
		},
	},
	...probeRoutes.map((probe): Route => ({
		...probe,
		answer: async () => new Response('ok\n', {headers: {'content-type': 'text/plain; charset=utf-8'}}),
	})),
	...openRoutes.map((page): Route => ({
		...page,
		answer: async () =>
			page.path === thumbPath
				? new Response(thumbImage, {headers: {'content-type': 'image/svg+xml'}})
				: new Response(pageText(engine, reach), {headers: {'content-type': 'text/plain; charset=utf-8'}}),
	})),
];

const unexpected = (log: Log, error: unknown): string =>
	`Something went wrong in the service; its log says more under ${log.failure(error)}.`;

const modelFailure = (log: Log, slot: string, error: unknown): string => {
	if (!(error instanceof ModelFault)) return unexpected(log, error);
	log.line(`${slot}: ${error.message}`);
	return error.detail === '' ? error.message : `${error.message} It says: ${error.detail}`;
};

const refusal = (log: Log, error: unknown): Response => {
	const known = error instanceof ServiceFault || error instanceof FileFault ? error : storageFault(error);
	const tooDeep = error instanceof RangeError && error.message.includes('call stack');
	const status = known ? known.status : tooDeep ? 400 : 500;
	const message = known ? known.message : tooDeep ? 'The body is nested too deeply.' : unexpected(log, error);
	return new Response(faultBody(status, message), {
		status,
		headers: {'content-type': jsonType, ...(known instanceof ServiceFault ? known.headers : {})},
	});
};

const honoPath = ({path}: RoutePattern): string =>
	path.replace('{path}', ':path{[\\s\\S]*}').replaceAll(/\{(\w+)\}/g, ':$1');

export const createApp = (routes: readonly Route[], log: Log): Hono<AppEnv> => {
	const app = new Hono<AppEnv>();
	for (const route of routes)
		app.on(route.method, honoPath(route), async context => route.answer(context.env.asked));
	app.onError(error => refusal(log, error));
	app.notFound(() => refusal(log, new ServiceFault(404, 'No such address here.')));
	return app;
};
