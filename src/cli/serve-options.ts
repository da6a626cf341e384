// This file must import little, because the program that starts the service automatically waits for
// it.
import {parseArgs} from 'node:util';
import {definedFields} from '../text/record.ts';
import {codeOf} from '../text/errors.ts';
import {managedByHub} from './managed-hub.ts';

/** Options of `serve`: name of the value, empty for a flag, and description. `many`: repeatable. */
export const SERVE_OPTIONS = {
	port: {value: 'N', what: 'port to listen on (default 0: any free port)'},
	host: {
		value: 'H',
		what: 'address to listen on (default 127.0.0.1); any other needs --allow-host, and TLS or --insecure-http',
	},
	'allow-host': {
		value: 'NAME',
		many: true,
		what: 'host name used by other machines, without port (repeatable)',
	},
	'public-url': {
		value: 'URL',
		what: 'public URL when behind a proxy, e.g. https://nb.example.com/base; used for host checks and generated URLs',
	},
	'forward-host': {
		value: '*.NAME',
		what: 'wildcard host passed on by the proxy, e.g. *.nb.example.com; gives each forward address its own name (with --public-url)',
	},
	'trusted-proxy': {
		value: 'ADDRESS',
		many: true,
		what: 'proxy or network whose X-Forwarded-For is trusted for the log (repeatable)',
	},
	'user-header': {
		value: 'NAME',
		what: 'header in which the trusted proxy names the user that it has signed in, e.g. X-Auth-Request-Email (see svc-tui help proxy)',
	},
	'tls-cert': {value: 'FILE', what: 'certificate chain (PEM); enables HTTPS'},
	'tls-key': {value: 'FILE', what: 'private key of the certificate (PEM, no passphrase)'},
	'insecure-http': {value: '', what: 'allow unencrypted connections; clients need the same option'},
	data: {
		value: 'DIR',
		what: "data folder for servers, files and the key (default: the local service's; none with --engine jupyterhub)",
	},
	catalogue: {
		value: 'FILE',
		what: 'JSON file with your compute options and environments (see svc-tui help hub)',
	},
	keys: {
		value: 'FILE',
		what: 'JSON file of users and keys: {"ann@example.com": "KEY"}; must be private (chmod 600)',
	},
	limits: {
		value: 'FILE',
		what: 'JSON file of limits after which servers are stopped (see svc-tui help limits)',
	},
	events: {
		value: 'FILE',
		what: 'file to which one line of JSON is appended for each action of a user (see svc-tui help hosting)',
	},
	metrics: {
		value: '[HOST:]PORT',
		what: 'port for metrics in the format of Prometheus at /metrics, on 127.0.0.1 unless HOST is given; it needs no key',
	},
	models: {
		value: 'FILE',
		what: 'JSON file of assistant models (default: models.json in the settings folder)',
	},
	engine: {
		value: 'auto|embedded|jupyter|jupyterhub',
		what: 'engine: embedded, jupyter, jupyterhub (with --hub), or auto (default: jupyter if installed, else embedded). Overrides SVC_ENGINE',
	},
	'allow-attach': {
		value: 'HOST',
		many: true,
		what: 'HOST or HOST:PORT that users may attach with svc-tui attach (repeatable)',
	},
	hub: {
		value: 'URL',
		what: 'JupyterHub URL, for --engine jupyterhub; hub tokens serve as API keys. Not needed when the hub starts this service',
	},
	'insecure-hub': {value: '', what: 'allow an unencrypted connection to the hub'},
	'browser-sign-in': {
		value: '',
		what: "sign users in with a browser at the hub; the hub's entry of this service needs oauth_client_allowed_scopes",
	},
	drain: {
		value: 'SECONDS',
		what: 'seconds to keep serving after SIGTERM while /readyz returns 503 (default 0)',
	},
	'mcp-allow': {
		value: 'LIST',
		what: 'permissions of MCP clients at /mcp: run, write, or both with a comma (default: reading only)',
	},
	leased: {value: '', what: 'exit when no program uses it'},
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
	// Only the first sentence of Node's message, which names the option. The rest is advice about
	// its parser.
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

/** Address and port of `--metrics`, with the brackets of an IPv6 address removed. */
const metricsOf = (
	text: string | undefined,
): {readonly address: string; readonly port: number} | undefined => {
	if (text === undefined) return undefined;
	const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
	if (port === '' || Number(port) > 65_535)
		throw new ServeUsageError(
			`--metrics ${JSON.stringify(text)} is not a port, or an address and a port such as 127.0.0.1:9464.`,
		);
	return {address: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port)};
};

/**
 * Permissions of MCP clients. Spending is not possible, because over HTTP no form can ask the user.
 */
const mcpAllowOf = (text: string | undefined): string | undefined => {
	for (const word of text?.split(',') ?? [])
		if (!['run', 'write'].includes(word.trim()))
			throw new ServeUsageError(
				`--mcp-allow ${JSON.stringify(word)} is not run or write; reading needs no permission.`,
			);
	return text;
};

/** Registration of the service at the hub. @throws {ServeUsageError} if there is none. */
const signInOf = (engine: string, environment: NodeJS.ProcessEnv) => {
	const {
		JUPYTERHUB_CLIENT_ID: clientId = '',
		JUPYTERHUB_API_TOKEN: clientSecret = '',
		JUPYTERHUB_OAUTH_CALLBACK_URL: redirectUri = '',
	} = environment;
	if (engine !== 'jupyterhub') throw new ServeUsageError('--browser-sign-in needs --engine jupyterhub.');
	if ([clientId, clientSecret, redirectUri].includes(''))
		throw new ServeUsageError(
			'--browser-sign-in needs JUPYTERHUB_CLIENT_ID, JUPYTERHUB_API_TOKEN and JUPYTERHUB_OAUTH_CALLBACK_URL, which a hub gives to the services it starts.',
		);
	return {clientId, clientSecret, redirectUri};
};

/**
 * Parses and validates the options of `serve`. An option that is not given is absent, so that the
 * service uses its default.
 * @throws {ServeUsageError} if an option is invalid.
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
			`--port ${JSON.stringify(port)} is not a port, a whole number from 0 to 65535.`,
		);
	const drain = text('drain');
	if (drain !== undefined && (!/^\d{1,4}$/.test(drain) || Number(drain) > 3600))
		throw new ServeUsageError(
			`--drain ${JSON.stringify(drain)} is not a whole number of seconds from 0 to 3600.`,
		);
	const engine =
		engineOf(text('engine'), '--engine') ??
		engineOf(environment['SVC_ENGINE'] || undefined, 'SVC_ENGINE') ??
		'auto';
	const [hub, insecureHub] = [text('hub'), flag('insecure-hub')];
	if (engine !== 'jupyterhub' && (hub ?? insecureHub) !== undefined)
		throw new ServeUsageError(`${hub === undefined ? '--insecure-hub' : '--hub'} needs --engine jupyterhub.`);
	const managed = engine === 'jupyterhub' && hub === undefined ? managedByHub(environment) : null;
	const publicUrl = text('public-url') ?? managed?.publicUrl;
	// The path must match, because the hub's proxy routes only this path to the service.
	if (managed && URL.parse(publicUrl ?? '')?.pathname.replace(/\/$/, '') !== managed.prefix)
		throw new ServeUsageError(
			`Give the address where users reach this service: --public-url https://HUB${managed.prefix}`,
		);
	return {
		port: text('port') === undefined ? (managed?.port ?? 0) : Number(port),
		engine,
		/** Set only by this program: the service exits once no program holds a lease. */
		leased: flag('leased') ?? false,
		...definedFields({
			host: text('host') ?? managed?.host,
			allowHosts: texts('allow-host'),
			publicUrl,
			forwardHost: text('forward-host'),
			trustedProxies: texts('trusted-proxy'),
			userHeader: text('user-header'),
			allowAttach: texts('allow-attach')?.map(host => host.toLowerCase()),
			tlsCert: text('tls-cert'),
			tlsKey: text('tls-key'),
			insecureHttp: flag('insecure-http'),
			data: text('data'),
			catalogue: text('catalogue'),
			keys: text('keys'),
			limits: text('limits'),
			models: text('models'),
			events: text('events'),
			metrics: metricsOf(text('metrics')),
			mcpAllow: mcpAllowOf(text('mcp-allow')),
			hub: hub ?? managed?.hub,
			/** Origin where users reach the hub. */
			hubOrigin: managed && publicUrl !== undefined ? URL.parse(publicUrl)?.origin : undefined,
			insecureHub,
			signIn: flag('browser-sign-in') === true ? signInOf(engine, environment) : undefined,
			drain: drain === undefined ? undefined : Number(drain),
		}),
	};
};
