import {readFile} from 'node:fs/promises';
import {text} from 'node:stream/consumers';

/** Which service to talk to. `local` is found or started by launch; the other is what the API module needs. */
export type ServiceChoice =
	| {readonly kind: 'local'}
	| {
		readonly kind: 'remote';
		readonly baseUrl: string;
		readonly apiKey: string;
		readonly caFile?: string;
		readonly insecureHttp?: boolean;
		/** HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in either case, as far as they are set. */
		readonly proxyEnv: Readonly<Record<string, string>>;
	};

/** What the user set wrong; the message says what to do. `auth`: there is no usable key. */
export class SettingsError extends Error {
	readonly code: 'config' | 'auth';
	constructor(code: SettingsError['code'], message: string) {
		super(message);
		this.code = code;
	}
}

/** From the command line. */
export type ServiceOptions = {
	readonly baseUrl?: string;
	/** `-` is standard input. */
	readonly apiKeyFile?: string;
	readonly caFile?: string;
	/** The key may travel in the clear to a service beyond this machine. */
	readonly insecureHttp?: boolean;
};

const reasons: Readonly<Record<string, string>> = {ENOENT: 'there is no such file', EACCES: 'you may not read it', EISDIR: 'it is a folder'};

const keyFrom = async (file: string): Promise<string> => {
	try {
		return (file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')).trim();
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? 'it failed';
		throw new SettingsError('config', `The API key cannot be read from ${file}: ${reasons[code] ?? code}.`);
	}
};

const proxiesIn = (env: NodeJS.ProcessEnv): Record<string, string> => {
	const found: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) if (value && /^(?:https?|no)_proxy$/i.test(name)) found[name] = value;
	return found;
};

/** The local service has its own key and speaks plain HTTP: an option that would change nothing is a mistake worth telling. */
const refuseIdle = ({apiKeyFile, caFile, insecureHttp}: ServiceOptions): void => {
	const idle = apiKeyFile !== undefined ? '--api-key-file' : caFile !== undefined ? '--ca-file' : insecureHttp ? '--insecure-http' : undefined;
	if (idle === undefined) return;
	throw new SettingsError('config', `${idle} is for a service that you name with --base-url or SVC_BASE_URL; the local one needs nothing of the kind.`);
};

/**
 * The service that was named (`--base-url`, then `SVC_BASE_URL`), else the local one. Keys: `--api-key-file`, then `SVC_API_KEY`;
 * the local service has a key file of its own, so that `SVC_API_KEY` is ignored for it.
 * @throws {SettingsError}
 */
export const chooseService = async (options: ServiceOptions, env: NodeJS.ProcessEnv = process.env): Promise<ServiceChoice> => {
	const {baseUrl, apiKeyFile, caFile, insecureHttp} = options;
	const named = (baseUrl ?? env['SVC_BASE_URL'] ?? '').trim();
	if (named === '') {
		if (baseUrl !== undefined) throw new SettingsError('config', '--base-url is empty: give an address such as https://notebooks.example.com.');
		refuseIdle(options);
		return {kind: 'local'};
	}
	const url = URL.parse(named);
	// The address itself is not repeated: it may hold a password.
	if (!url) throw new SettingsError('config', 'The base URL is no address: --base-url and SVC_BASE_URL want one such as https://notebooks.example.com.');
	const apiKey = apiKeyFile === undefined ? env['SVC_API_KEY']?.trim() : await keyFrom(apiKeyFile);
	if (!apiKey) {
		const missing = apiKeyFile === undefined ? `${url.host} needs an API key` : `There is no API key in ${apiKeyFile === '-' ? 'standard input' : apiKeyFile}`;
		throw new SettingsError('auth', `${missing}: set SVC_API_KEY, or name a file that holds it with --api-key-file.`);
	}
	return {kind: 'remote', baseUrl: named, apiKey, proxyEnv: proxiesIn(env), ...(caFile !== undefined && {caFile}), ...(insecureHttp && {insecureHttp})};
};
