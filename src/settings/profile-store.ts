// Login and logout. The key is stored in its own file, and the service in the settings file.
import {connectionOf, type ConnectionOptions} from './connection.ts';
import {existsSync, realpathSync, unlinkSync} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, sep} from 'node:path';
import {writeDurably} from '../machine/atomic-write.ts';
import {lineOf, withValue} from './json-text.ts';
import {LOCAL, type Theme} from './profile.ts';
import {SetupError} from './setup-error.ts';
import {proxiesIn} from './service-environment.ts';
import type {Remote} from './target.ts';
import {
	isSameAddress,
	ownKeyFile,
	readSettings,
	settingsFile,
	type Profile,
	type Settings,
	nameOfAction,
	placeOfAction,
} from './settings.ts';
import {profileNameFault} from './settings-fields.ts';
import {diskReason} from '../machine/disk-fault.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {messageOf} from '../text/errors.ts';

export type ProfileChoice = {
	/**
	 * Name of the profile. Null for the service that the program was started with, if it has no
	 * profile.
	 */
	readonly name: string | null;
	readonly title: string;
	readonly host: string;
	/** True if the profile's key is stored, or if the profile needs none. */
	readonly hasKey: boolean;
	readonly readOnly: boolean;
};

/** Host of an address. No other part is shown, since an address may contain a password. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? 'not an address';

const choiceOf = ({name, baseUrl, keyFile, facts: {readOnly}}: Profile): ProfileChoice => ({
	name,
	title: name,
	host: baseUrl === null ? 'this machine' : hostOf(baseUrl),
	hasKey: baseUrl === null || existsSync(keyFile),
	readOnly,
});

/** All profiles, the local one first. @throws {SetupError} if the settings are invalid. */
export const listProfiles = (): readonly ProfileChoice[] => {
	const {profiles} = readSettings();
	return [...profiles.values()]
		.map(choiceOf)
		.sort((one, other) => Number(other.name === LOCAL) - Number(one.name === LOCAL));
};

const write = (file: string, content: string): void => {
	try {
		makeFolder(dirname(file));
		// Preserves a symbolic link, as dotfile managers create.
		writeDurably(existsSync(file) ? realpathSync(file) : file, content);
	} catch (error) {
		const why = diskReason(error, {elsewhere: 'set XDG_CONFIG_HOME to a folder you own', file});
		throw new SetupError(`${file} cannot be written: ${why ?? messageOf(error)}.`);
	}
};

/** Stores the theme, preserving comments. @throws {SetupError} if reading or writing fails. */
export const storeTheme = (theme: Theme): void => {
	const {file, text} = readSettings();
	write(file, withValue(text.trim() === '' ? '{}\n' : text, ['theme'], theme));
};

export type SignIn = ConnectionOptions & {
	readonly profile: string;
	readonly baseUrl: string;
	readonly apiKey: string;
};

export type SignInTarget = {
	readonly profile: string;
	readonly keyFile: string;
	readonly settingsFile: string;
};

/** Default profile name for an address. */
const nameFor = (baseUrl: string): string =>
	hostOf(baseUrl)
		.replaceAll(/[^A-Za-z0-9._-]/g, '-')
		.replace(/^[^A-Za-z0-9]+/, '')
		.slice(0, 64) || 'service';

/**
 * Profile for signing in: the named one, else an existing one with that address, else a new one
 * named after the host.
 * @throws {SetupError} if the name is invalid.
 */
export const signInTargetOf = (
	settings: Settings,
	{profile: named, baseUrl}: {readonly profile?: string | undefined; readonly baseUrl: string},
): SignInTarget => {
	const profile =
		named ??
		[...settings.profiles.values()].find(each => isSameAddress(each.baseUrl ?? '', baseUrl))?.name ??
		nameFor(baseUrl);
	if (profile === LOCAL)
		throw new SetupError(
			'The local service needs no sign-in: it has a key of its own. Give the other service another name.',
		);
	const fault = profileNameFault(profile);
	if (fault !== undefined) throw new SetupError(`The profile's name ${fault}`);
	return {
		profile,
		keyFile: settings.profiles.get(profile)?.keyFile ?? ownKeyFile(profile),
		settingsFile: settings.file,
	};
};

/**
 * Stores the key (mode 0600), then the service, preserving comments. The first profile becomes the
 * default.
 * @throws {SetupError} if the settings are invalid. Then nothing is written.
 */
const storeProfile = ({
	profile,
	baseUrl,
	apiKey,
	...connection
}: SignIn): SignInTarget & {readonly isDefault: boolean} => {
	const settings = readSettings();
	const place = signInTargetOf(settings, {profile, baseUrl});
	write(place.keyFile, `${apiKey}\n`);
	const known = settings.profiles.get(profile);
	let text = settings.text.trim() === '' ? '{}\n' : settings.text;
	const put = (name: string, value: unknown): void => {
		text = withValue(text, ['profiles', profile, name], value);
	};
	if (!isSameAddress(known?.baseUrl ?? '', baseUrl)) put('baseUrl', baseUrl);
	const {insecureHttp, ...files} = connectionOf(connection);
	for (const [name, value] of Object.entries(files)) put(name, value);
	if (insecureHttp) put('insecureHttp', true);
	if (settings.profile === null) text = withValue(text, ['profile'], profile);
	if (text !== settings.text) write(settings.file, text);
	return {...place, isDefault: (settings.profile ?? profile) === profile};
};

/** Connection options for signing in, by profile. @throws {SetupError} if settings are invalid. */
export const reachOf = (
	request: Omit<SignIn, 'apiKey'>,
	env: NodeJS.ProcessEnv = process.env,
): Omit<Remote, 'apiKey'> => {
	const settings = readSettings();
	const {profile} = signInTargetOf(settings, {...request, profile: request.profile || undefined});
	return {
		baseUrl: request.baseUrl,
		proxyEnv: proxiesIn(env),
		...connectionOf(request, settings.profiles.get(profile)),
	};
};

/**
 * Stores a key after `check` has accepted it. `check` throws if the service rejects the key.
 * @throws {SetupError} if the settings cannot be used.
 */
export const signIn = async (
	request: SignIn,
	check: (service: Remote) => Promise<void>,
	env: NodeJS.ProcessEnv = process.env,
): Promise<ReturnType<typeof storeProfile>> => {
	const {profile} = signInTargetOf(readSettings(), {...request, profile: request.profile || undefined});
	await check({...reachOf(request, env), apiKey: request.apiKey});
	return storeProfile({...request, profile});
};

/**
 * Address and key file of a remote profile. Null if there is no such profile. @throws {SetupError}
 * if settings are invalid.
 */
export const knownProfile = (name: string): {readonly address: string; readonly keyFile: string} | null => {
	const profile = readSettings().profiles.get(name);
	return profile === undefined || profile.baseUrl === null
		? null
		: {address: profile.baseUrl, keyFile: profile.keyFile};
};

/**
 * Removes a profile's key, but not the profile. Returns false if there was no key.
 * @throws {SetupError} if the user keeps the key in a file of their own.
 */
export const forgetKey = ({name, keyFile, keyFileIsOurs}: Profile): boolean => {
	if (!existsSync(keyFile)) return false;
	if (!keyFileIsOurs)
		throw new SetupError(`The key of ${name} is in a file of your own, ${keyFile}: remove it there.`);
	unlinkSync(keyFile);
	return true;
};

/** Location of an entry of `keys` in the settings file, in the short form `~/file:line`. */
export const settingLocation = (entry: string): string => {
	const file = settingsFile();
	const home = homedir() + sep;
	return `${file.startsWith(home) ? `~/${file.slice(home.length)}` : file}:${lineOf(readSettings(file).text, placeOfAction(entry))}: ${nameOfAction(entry)}`;
};

export const settingsProblem = (): string | null => {
	try {
		readSettings();
		return null;
	} catch (error) {
		return messageOf(error);
	}
};
