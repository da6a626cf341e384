import {readFileSync} from 'node:fs';
import type * as z from 'zod';
import {chat} from '../contract/assistant.ts';
import {
	allowDownload,
	createEnvironment,
	getSetup,
	planEnvironment,
	removeEnvironment,
} from '../contract/environment-setup.ts';
import {attachServer, detachServer, type AttachRequest} from '../contract/attach.ts';
import {
	addHost,
	adoptOnHost,
	hostControl,
	openPortOnHost,
	listHosts,
	removeHost,
	serversOnHost,
	stopOnHost,
} from '../contract/hosts.ts';
import {finishSignIn} from '../contract/sign-in.ts';
import {getKeyPage} from '../contract/key-page.ts';
import {getLimits, setLimits} from '../contract/limits.ts';
import {listModelNames} from '../contract/model-names.ts';
import {openProject} from '../contract/project.ts';
import {runCode} from '../contract/cells.ts';
import {refusedCell} from '../contract/code-encoding.ts';
import {listCompute} from '../contract/compute.ts';
import {fillPath, UnsafeParamError, type Endpoint, type Params} from '../contract/endpoint.ts';
import {listEnvironments} from '../contract/environments.ts';
import {getFile, putFile} from '../contract/files.ts';
import {createServer, listServers, startServer} from '../contract/servers.ts';
import {parseResponse, refusedCall} from './responses.ts';
import {streamAnswer} from './chat.ts';
import type {CallOptions, Client, ClientSettings, Listing} from './client-types.ts';
import type {Reply} from './failure.ts';
import {LIMITS, type CallKind, type Limits} from './limits.ts';
import {isSuccess} from './read-response.ts';
import {createTransport} from './transport.ts';
import {callOf} from './raw-call.ts';
import {keepSent} from '../text/as-sent.ts';
import {keepWritten} from '../text/exact-json.ts';
import {isLoopback} from '../machine/loopback.ts';
import {certificatesOf} from '../machine/pem.ts';
import {fieldsOf, definedFields} from '../text/record.ts';

type Row<Response extends z.ZodType> = Pick<Endpoint<undefined, Response>, 'method' | 'path' | 'response'>;
type ListRow<Item extends z.ZodType> = Endpoint<undefined, z.ZodType, Item> & {
	readonly list: {readonly field: string; readonly item: Item};
};
type Sent = CallOptions & {
	readonly params?: Params;
	readonly body?: object;
	readonly ifMatch?: string;
	readonly onBeginning?: (answer: unknown) => void;
};

const arrayIn = (value: unknown, field: string): readonly unknown[] => {
	const found: unknown = fieldsOf(value)[field];
	return Array.isArray(found) ? found : [];
};

const pick = <Whole, Part>(reply: Reply<Whole>, part: (value: Whole) => Part): Reply<Part> =>
	reply.ok ? {ok: true, value: part(reply.value)} : reply;

/** Path of an endpoint with its parameters. A failure if a name cannot be part of a path. */
const address = (row: {readonly method: string; readonly path: string}, params: Params): Reply<string> => {
	try {
		return {ok: true, value: fillPath(row.path, params)};
	} catch (error) {
		if (!(error instanceof UnsafeParamError)) throw error;
		return {ok: false, failure: {kind: 'config', method: row.method, path: '', message: error.message}};
	}
};

/**
 * Adds the certificates of `--ca-file` to a request that attaches a TLS server to the local
 * service. The service itself uses no TLS, so the file is meant for the server.
 */
const withAuthority = (body: AttachRequest, {caFile, baseUrl}: ClientSettings): AttachRequest => {
	const isOfServer =
		isLoopback(URL.parse(baseUrl)?.hostname ?? '') && URL.parse(body.address.trim())?.protocol === 'https:';
	if (caFile === undefined || !isOfServer) return body;
	try {
		// If the file contains no certificate, the service rejects the request and explains why.
		return {...body, certificate_authority: certificatesOf(readFileSync(caFile, 'utf8'))};
	} catch {
		// The transport reports an unreadable file with each call.
		return body;
	}
};

/**
 * Client of a notebook service: one method per endpoint, one request per call, no retries. Never
 * throws: with invalid settings each call fails with `config`. Only tests set `limits`.
 */
export const createClient = (settings: ClientSettings, limits: Limits = LIMITS): Client => {
	const transport = createTransport(settings, limits);

	const askTagged = async <Response extends z.ZodType>(
		kind: CallKind,
		row: Row<Response>,
		{params = {}, body, ifMatch, signal, onBeginning}: Sent = {},
	): Promise<Reply<{readonly answer: z.output<Response>; readonly tag: string | null}>> => {
		const path = address(row, params);
		if (!path.ok) return path;
		const call = {
			kind,
			method: row.method,
			path: path.value,
			...definedFields({body, ifMatch, signal, onBeginning}),
		};
		return transport.make(call, async (watched, send) => {
			const reply = await send();
			if (!reply.ok) return reply;
			// Ignores weak tags, because `If-Match` uses the strong comparison.
			const {etag = 'W/'} = reply.value;
			return pick(parseResponse(transport, watched, reply.value, row.response), answer => {
				transport.learn(answer);
				return {answer, tag: etag.startsWith('W/') ? null : etag};
			});
		});
	};
	const ask = async <Response extends z.ZodType>(
		kind: CallKind,
		row: Row<Response>,
		sent?: Sent,
	): Promise<Reply<z.output<Response>>> => pick(await askTagged(kind, row, sent), ({answer}) => answer);

	const list = async <Item extends z.ZodType>(
		row: ListRow<Item>,
		options: CallOptions = {},
	): Promise<Reply<Listing<z.output<Item>>>> =>
		pick(await ask('list', row, options), answer => {
			const raw = arrayIn(answer, row.list.field);
			for (const item of raw) transport.learn(item);
			const items = raw.flatMap(item => {
				const read = row.list.item.safeParse(item);
				return read.success ? [keepSent(keepWritten(read.data, item), item)] : [];
			});
			return {items, unreadable: raw.length - items.length, raw};
		});

	const on = (server: string, options: CallOptions | undefined, more: Sent = {}): Sent => ({
		...options,
		...more,
		params: {server_name: server, ...more.params},
	});

	return {
		baseUrl: settings.baseUrl,
		keyless: transport.keyless,
		servers: options => list(listServers, options),
		compute: options => list(listCompute, options),
		environments: options => list(listEnvironments, options),
		createServer: (body, options) => ask('change', createServer, {...options, body}),
		startServer: (server, body, options) => ask('change', startServer, on(server, options, {body})),
		// Sent as an `upload`, because bodies of this kind are neither shown nor copied. This body
		// contains a token.
		attachServer: (body, options) =>
			ask('upload', attachServer, {...options, body: withAuthority(body, settings)}),
		openProject: (body, options) => ask('change', openProject, {...options, body}),
		limits: options => ask('list', getLimits, options),
		setLimits: (body, options) => ask('change', setLimits, {...options, body}),
		modelNames: async options => pick(await ask('list', listModelNames, options), ({models}) => models),
		keyPage: async options =>
			pick(await ask('list', getKeyPage, options), ({key_page: page, browser_sign_in: hasBrowser}) => ({
				page,
				hasBrowser,
			})),
		// Sent as an `upload`, because bodies of this kind are neither shown nor copied.
		finishSignIn: async (body, options) =>
			pick(await ask('upload', finishSignIn, {...options, body}), ({key}) => key),
		detachServer: async (server_name, options) =>
			pick(await ask('change', detachServer, {...options, body: {server_name}}), () => null),
		environmentContents: async options =>
			pick(await ask('list', getSetup, options), ({environments}) => environments),
		// Sent as an `upload`, because this kind has a longer time limit. The service asks the
		// package source for sizes.
		planEnvironment: async (id, options) =>
			pick(
				await ask('upload', planEnvironment, {...options, body: {environment_id: id}}),
				answer => answer.environment,
			),
		allowDownload: async (id, options) =>
			pick(
				await ask('upload', allowDownload, {...options, body: {environment_id: id}}),
				answer => answer.environment,
			),
		createEnvironment: async (body, options) =>
			pick(await ask('upload', createEnvironment, {...options, body}), answer => answer.environment),
		removeEnvironment: async (id, options) =>
			pick(await ask('change', removeEnvironment, {...options, body: {environment_id: id}}), () => null),
		hosts: options => ask('list', listHosts, options),
		// Sent as an `upload`, because this kind has a longer time limit. The first connection to a
		// host is slow.
		addHost: async (host, options) =>
			pick(await ask('upload', addHost, {...options, body: {host}}), answer => answer.host),
		hostControl: async (host, options) => ask('change', hostControl, {...options, body: {host}}),
		removeHost: async (host, options) =>
			pick(await ask('change', removeHost, {...options, body: {host}}), () => null),
		serversOnHost: async (host, options) =>
			pick(await ask('upload', serversOnHost, {...options, body: {host}}), answer => answer.servers),
		adoptOnHost: async (body, options) =>
			pick(await ask('upload', adoptOnHost, {...options, body}), answer => answer.server),
		stopOnHost: async (server_name, options) =>
			pick(await ask('change', stopOnHost, {...options, body: {server_name}}), () => null),
		openPortOnHost: async (server_name, port, options) =>
			ask('change', openPortOnHost, {...options, body: {server_name, port}}),
		getFile: async (server, path, {onBeginning, ...options} = {}) => {
			const begin = (answer: unknown): void => {
				const begun = getFile.response.safeParse(answer);
				if (begun.success) onBeginning?.(begun.data.content);
			};
			return pick(
				await ask(
					'file',
					getFile,
					on(server, options, {params: {path}, ...(onBeginning && {onBeginning: begin})}),
				),
				answer => answer.content,
			);
		},
		getTaggedFile: async (server, path, options) =>
			pick(await askTagged('file', getFile, on(server, options, {params: {path}})), ({answer, tag}) => ({
				entry: answer.content,
				tag,
			})),
		putFile: async (server, path, body, {tag = null, ...options} = {}) =>
			pick(
				await ask(
					'upload',
					putFile,
					on(server, options, {params: {path}, body, ...(tag !== null && {ifMatch: tag})}),
				),
				answer => answer.content,
			),
		async runCode(server, body, options) {
			const refused = refusedCell(body.code);
			if (refused !== null) return {ok: true, value: refused};
			return pick(await ask('run', runCode, on(server, options, {body})), answer => answer.content);
		},
		call: async (typed, {signal} = {}) => {
			const call = callOf(typed, transport.base);
			if (typeof call === 'string')
				return {
					ok: false,
					failure: {
						kind: 'config',
						method: typed.method,
						path: '',
						message: call,
						advice: 'Nothing was sent. Write it as /api/servers.',
					},
				};
			return transport.make({...call, ...definedFields({signal})}, async (watched, send) => {
				const reply = await send();
				if (!reply.ok || isSuccess(reply.value)) return reply;
				return {ok: false, failure: refusedCall(transport, watched, reply.value)};
			});
		},
		// Imported on use, because the first frame needs neither WebSockets nor Jupyter's messages.
		live: async (server, allowed) =>
			(await import('./live/link.ts')).openLive(settings, server, allowed, async () => {
				const reply = await list(listServers);
				return reply.ok ? reply.value.items : null;
			}),
		chat: async (server, model, messages, options) => {
			const path = address(chat, {server_name: server, model});
			return path.ok ? streamAnswer(transport, path.value, messages, options) : path;
		},
	};
};
