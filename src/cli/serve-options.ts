// Imports stay small: the program starts the service itself, which must respond soon.
import {parseArgs} from 'node:util';
import {definedFields} from '../text/record.ts';
import {codeOf} from '../text/errors.ts';
import {managedByHub} from './managed-hub.ts';

/** Options of `serve`: name of the value, empty for a flag, and description. `many`: repeatable. */
export const SERVE_OPTIONS = {
	port: {value: 'N', what: 'port to listen on; 0, the default, is any free one'},
	host: {
		value: 'H',
		what: 'address to listen on; beyond 127.0.0.1 (the default) it needs --allow-host, and TLS or --insecure-http',
	},
	'allow-host': {
		value: 'NAME',
		many: true,
		what: 'name by which other machines reach it, without port; may be given again',
	},
	'public-url': {
		value: 'URL',
		what: 'address that a proxy in front gives it, such as https://nb.example.com/base: it answers to that name and hands out addresses below it',
	},
	'forward-host': {
		value: '*.NAME',
		what: "names that the proxy passes on besides, such as *.nb.example.com: each server's forward address gets one of its own (with --public-url)",
	},
	'trusted-proxy': {
		value: 'ADDRESS',
		many: true,
		what: 'proxy, or network of proxies, whose X-Forwarded-For is believed, for the log; may be given again',
	},
	'tls-cert': {value: 'FILE', what: 'certificate with its chain, PEM: it then speaks HTTPS'},
	'tls-key': {value: 'FILE', what: 'key of the certificate, PEM, without a password'},
	'insecure-http': {value: '', what: 'let the key travel in the clear; clients need the same option'},
	data: {
		value: 'DIR',
		what: 'folder that keeps servers, files and the key; by default the one that the screens and commands use, and none with --engine jupyterhub',
	},
	catalogue: {
		value: 'FILE',
		what: 'compute options of your own, as JSON in the form of GET /api/compute, and environments, as svc-tui help hub shows',
	},
	keys: {
		value: 'FILE',
		what: 'users and their keys, as JSON {"ann@example.com": "KEY"}; closed to others (chmod 600)',
	},
	models: {
		value: 'FILE',
		what: 'models that answer for the assistant, as JSON; by default models.json in the folder of the settings, if there is one',
	},
	engine: {
		value: 'auto|embedded|jupyter|jupyterhub',
		what: 'what runs the code: the embedded Python, Jupyter Server, which auto (the default) takes where it is installed with a kernel, or the servers of a JupyterHub (--hub); else SVC_ENGINE',
	},
	'allow-attach': {
		value: 'HOST',
		many: true,
		what: 'host, or HOST:PORT, at which users may attach Jupyter Servers (svc-tui attach); may be given again',
	},
	hub: {
		value: 'URL',
		what: 'address of a JupyterHub, for --engine jupyterhub: its users are those of the service, with tokens of the hub as their keys; a service that the hub starts itself needs none',
	},
	'insecure-hub': {value: '', what: 'let these keys travel to the hub in the clear'},
	drain: {
		value: 'SECONDS',
		what: 'time in which it still takes requests once told to stop, while /readyz says 503 and a balancer turns away from it; none by default',
	},
	leased: {value: '', what: 'exit when none of your programs uses it any more'},
} as const satisfies Readonly<
	Record<string, {readonly value: string; readonly what: string; readonly many?: true}>
>;

const PARSED = Object.fromEntries(
	Object.entries(SERVE_OPTIONS).map(([name, option]) => [
		name,
		{type: option.value === '' ? ('boolean' as const) : ('string' as const), multiple: 'many' in option},
	]),
);

export class ServeUsageError extends Error {}

const usageOf = (error: unknown): ServeUsageError => {
	if (!(error instanceof Error) || !codeOf(error).startsWith('ERR_PARSE_ARGS')) throw error;
	// The first sentence names the option; the rest is advice about Node's parser.
	return new ServeUsageError(`${(error.message.split(/\.(?:\s|$)/)[0] ?? '').replaceAll("'", '')}.`);
};

const read = (args: readonly string[]) => {
	try {
		return parseArgs({args: [...args], options: PARSED, allowPositionals: false}).values;
	} catch (error) {
		throw usageOf(error);
	}
};

const ENGINES = {
	auto: 'auto',
	embedded: 'pyodide',
	pyodide: 'pyodide',
	jupyter: 'jupyter',
	jupyterhub: 'jupyterhub',
} as const;
type EngineName = keyof typeof ENGINES;

const engineOf = (name: string | undefined, from: string): (typeof ENGINES)[EngineName] | undefined => {
	if (name === undefined) return undefined;
	if (!Object.hasOwn(ENGINES, name))
		throw new ServeUsageError(
			`${from} ${JSON.stringify(name)} is unknown: use auto, embedded, jupyter or jupyterhub.`,
		);
	return ENGINES[name as EngineName];
};

/**
 * Validated options of `serve`. Options left to the service are absent. @throws {ServeUsageError}
 * if one is invalid.
 */
export const parseServe = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
	const values = read(args);
	const texts = (name: keyof typeof SERVE_OPTIONS): readonly string[] | undefined => {
		const value = [values[name] ?? []].flat().filter(each => typeof each === 'string');
		if (value.includes('')) throw new ServeUsageError(`--${name} is empty.`);
		return value.length > 0 ? value : undefined;
	};
	const text = (name: keyof typeof SERVE_OPTIONS): string | undefined => texts(name)?.at(-1);
	const flag = (name: keyof typeof SERVE_OPTIONS): true | undefined => values[name] === true || undefined;
	const port = text('port') ?? '0';
	if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
		throw new ServeUsageError(
			`--port ${JSON.stringify(port)} is not a port: it is a whole number from 0 to 65535.`,
		);
	const drain = text('drain');
	if (drain !== undefined && (!/^\d{1,4}$/.test(drain) || Number(drain) > 3600))
		throw new ServeUsageError(
			`--drain ${JSON.stringify(drain)} is not a time: it is a whole number of seconds from 0 to 3600.`,
		);
	const engine =
		engineOf(text('engine'), '--engine') ??
		engineOf(environment['SVC_ENGINE'] || undefined, 'SVC_ENGINE') ??
		'auto';
	const [hub, insecureHub] = [text('hub'), flag('insecure-hub')];
	if (engine !== 'jupyterhub' && (hub ?? insecureHub) !== undefined)
		throw new ServeUsageError(
			`${hub === undefined ? '--insecure-hub' : '--hub'} is for --engine jupyterhub; add that, or leave it out.`,
		);
	const managed = engine === 'jupyterhub' && hub === undefined ? managedByHub(environment) : null;
	const publicUrl = text('public-url') ?? managed?.publicUrl;
	// The hub's proxy routes only this path here.
	if (managed && URL.parse(publicUrl ?? '')?.pathname.replace(/\/$/, '') !== managed.prefix)
		throw new ServeUsageError(
			`Say where users reach this service of the hub: --public-url https://HUB${managed.prefix}`,
		);
	return {
		port: text('port') === undefined ? (managed?.port ?? 0) : Number(port),
		engine,
		/** Set by the program itself: the service exits when no program holds a lease. */
		leased: flag('leased') ?? false,
		...definedFields({
			host: text('host') ?? managed?.host,
			allowHosts: texts('allow-host'),
			publicUrl,
			forwardHost: text('forward-host'),
			trustedProxies: texts('trusted-proxy'),
			allowAttach: texts('allow-attach')?.map(host => host.toLowerCase()),
			tlsCert: text('tls-cert'),
			tlsKey: text('tls-key'),
			insecureHttp: flag('insecure-http'),
			data: text('data'),
			catalogue: text('catalogue'),
			keys: text('keys'),
			models: text('models'),
			hub: hub ?? managed?.hub,
			/** Origin where users reach the hub. */
			hubOrigin: managed && publicUrl !== undefined ? URL.parse(publicUrl)?.origin : undefined,
			insecureHub,
			drain: drain === undefined ? undefined : Number(drain),
		}),
	};
};
