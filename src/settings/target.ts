import {readFile} from 'node:fs/promises';
import {text} from 'node:stream/consumers';
import {readPrivate} from '../machine/private-file.ts';
import {LOCAL, LOCAL_PROFILE, type ProfileInfo} from './profile.ts';
import {connectionOf, type ConnectionOptions} from './connection.ts';
import {keepKernelsOf, type KeepKernels} from './keep-kernels.ts';
import {SetupError} from './setup-error.ts';
import {definedFields} from '../text/record.ts';
import {isSameAddress, readSettings, type Profile, type Settings} from './settings.ts';
import {proxiesIn} from './service-environment.ts';
import {codeOf} from '../text/errors.ts';

/**
 * Chosen service. `local`: `launch` finds or starts it. `remote`: the API client connects to it.
 */
export type ServiceChoice = {readonly facts: ProfileInfo} & (
	| ({readonly kind: 'local'; readonly keepKernels: KeepKernels} & Pick<Remote, 'caFile' | 'proxyEnv'>)
	| ({readonly kind: 'remote'} & Remote)
);

export type Remote = ConnectionOptions & {
	readonly baseUrl: string;
	readonly apiKey: string;
	/**
	 * Values of HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, if set. Their names may be in any
	 * case.
	 */
	readonly proxyEnv: Readonly<Record<string, string>>;
};

export const SERVICE_FLAGS = {
	baseUrl: '--base-url',
	profile: '--profile',
	apiKeyFile: '--api-key-file',
	caFile: '--ca-file',
	clientCertFile: '--client-cert-file',
	clientKeyFile: '--client-key-file',
	insecureHttp: '--insecure-http',
} as const;

export type ServiceOptions = ConnectionOptions & {
	readonly baseUrl?: string;
	readonly profile?: string;
	/** File with the API key. `-` means standard input. */
	readonly apiKeyFile?: string;
};

const reasons: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file',
	EACCES: 'you may not read it',
	EISDIR: 'it is a folder',
};

/** Reads a key from a file; `-` is standard input. @throws {SetupError} if unreadable or empty. */
export const keyFrom = async (file: string): Promise<string> => {
	let key: string;
	try {
		key = (file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')).trim();
	} catch (error) {
		const code = codeOf(error) || 'it failed';
		throw new SetupError(`The API key cannot be read from ${file}: ${reasons[code] ?? code}.`);
	}
	if (key !== '') return key;
	const from = file === '-' ? 'standard input' : file;
	throw new SetupError(`There is no API key in ${from}: put it there, or leave --api-key-file out.`, 'auth');
};

/** Rejects options that the local service ignores. `--ca-file` applies to attached servers. */
const rejectIgnoredOptions = (options: ServiceOptions): void => {
	const idle = (['apiKeyFile', 'insecureHttp', 'clientCertFile', 'clientKeyFile'] as const).find(
		name => (options[name] ?? false) !== false,
	);
	if (idle === undefined) return;
	throw new SetupError(
		`${SERVICE_FLAGS[idle]} needs --base-url, --profile or SVC_BASE_URL; the local service does not use it.`,
	);
};

const hostOf = (address: string): string => {
	const url = URL.parse(address);
	// Never quotes the address, which may contain a password.
	if (!url)
		throw new SetupError(
			'The base URL is not an address: give --base-url or SVC_BASE_URL one such as https://notebooks.example.com.',
		);
	return url.host;
};

/** Profile by name. @throws {SetupError} with the existing names. */
export const profileNamed = ({profiles, file}: Settings, name: string): Profile => {
	const found = profiles.get(name);
	if (found) return found;
	throw new SetupError(
		`There is no profile ${JSON.stringify(name)} in ${file}; profiles are ${[...profiles.keys()].join(', ')}. svc-tui login --profile NAME adds one.`,
	);
};

/** Key stored by login. @throws {SetupError} if there is none or it cannot be read. */
const storedKey = ({name, keyFile}: Profile): string => {
	const found = readPrivate(keyFile);
	const again = `svc-tui login --profile ${name} asks for it.`;
	if ('text' in found && found.text !== '') return found.text;
	if ('text' in found || found.fault === 'ENOENT')
		throw new SetupError(`The profile ${name} has no API key yet. ${again}`, 'auth');
	if (found.fault === 'open')
		throw new SetupError(`The key file ${keyFile} must be private: run chmod 600 on it.`);
	throw new SetupError(`The key file ${keyFile} cannot be read (${found.fault}). ${again}`);
};

const ofProfile = async (
	profile: Profile,
	{keepKernels}: Settings,
	options: ServiceOptions,
	env: NodeJS.ProcessEnv,
): Promise<ServiceChoice> => {
	const {baseUrl, facts} = profile;
	const {apiKeyFile} = options;
	const connection = connectionOf(options, profile);
	if (baseUrl === null) {
		rejectIgnoredOptions(options);
		return {
			kind: 'local',
			facts,
			keepKernels: keepKernelsOf(keepKernels, env),
			proxyEnv: proxiesIn(env),
			...definedFields({caFile: connection.caFile}),
		};
	}
	// A key in the environment is meant only for the address in the environment.
	const isOfThis = !env['SVC_BASE_URL'] || isSameAddress(env['SVC_BASE_URL'], baseUrl);
	const ofEnvironment = isOfThis ? env['SVC_API_KEY']?.trim() : undefined;
	const typed = apiKeyFile === undefined ? ofEnvironment : await keyFrom(apiKeyFile);
	return {
		kind: 'remote',
		baseUrl,
		apiKey: typed || storedKey(profile),
		facts,
		proxyEnv: proxiesIn(env),
		...connection,
	};
};

const ofAddress = async (
	named: string,
	{apiKeyFile, ...options}: ServiceOptions,
	env: NodeJS.ProcessEnv,
): Promise<ServiceChoice> => {
	const host = hostOf(named);
	const apiKey = apiKeyFile === undefined ? env['SVC_API_KEY']?.trim() : await keyFrom(apiKeyFile);
	if (!apiKey)
		throw new SetupError(
			`${host} needs an API key: set SVC_API_KEY, or name a file that holds it with --api-key-file.`,
			'auth',
		);
	return {
		kind: 'remote',
		baseUrl: named,
		apiKey,
		proxyEnv: proxiesIn(env),
		facts: {...LOCAL_PROFILE, serviceName: host, isLocal: false},
		...connectionOf(options),
	};
};

/**
 * Chooses the service: `--base-url` or `--profile`, then `SVC_BASE_URL`, then the settings' default
 * profile, else the local service. Chooses the key of a remote one: `--api-key-file`, then
 * `SVC_API_KEY`, then the profile's file. The local service has its own key file.
 * @throws {SetupError} if there is no such profile or no key.
 */
export const chooseService = async (
	options: ServiceOptions,
	env: NodeJS.ProcessEnv = process.env,
): Promise<ServiceChoice> => {
	const {baseUrl, profile} = options;
	if (baseUrl !== undefined && profile !== undefined)
		throw new SetupError('Give either --base-url or --profile: a profile has an address of its own.');
	if (baseUrl?.trim() === '')
		throw new SetupError('--base-url is empty: give an address such as https://notebooks.example.com.');
	const named = baseUrl ?? (profile === undefined ? env['SVC_BASE_URL'] : undefined);
	if (named?.trim()) return ofAddress(named.trim(), options, env);
	const settings = readSettings();
	return ofProfile(profileNamed(settings, profile ?? settings.profile ?? LOCAL), settings, options, env);
};
