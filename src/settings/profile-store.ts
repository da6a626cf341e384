// What login and logout do to the settings: the key in a file of its own, the service in the file that people edit.
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
import {definedFields} from '../text/record.ts';
import {messageOf} from '../text/errors.ts';

/** A profile as a list shows it. */
export type ProfileChoice = {
	/** null: what the program was started with, which is no profile. */
	readonly name: string | null;
	readonly title: string;
	readonly host: string;
	/** A key is stored for it, or none is needed. */
	readonly hasKey: boolean;
	readonly readOnly: boolean;
};

/** Only the host of an address is shown. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? 'not an address';

const choiceOf = ({name, baseUrl, keyFile, facts: {readOnly}}: Profile): ProfileChoice => ({
	name,
	title: name,
	host: baseUrl === null ? 'this machine' : hostOf(baseUrl),
	hasKey: baseUrl === null || existsSync(keyFile),
	readOnly,
});

/** The profiles there are, the local one first. @throws {SetupError} */
export const listProfiles = (): readonly ProfileChoice[] => {
	const {profiles} = readSettings();
	return [...profiles.values()]
		.map(choiceOf)
		.sort((one, other) => Number(other.name === LOCAL) - Number(one.name === LOCAL));
};

const write = (file: string, content: string): void => {
	try {
		makeFolder(dirname(file));
		// A link, as keepers of settings make them, stays one.
		writeDurably(existsSync(file) ? realpathSync(file) : file, content);
	} catch (error) {
		const why = diskReason(error, {elsewhere: 'set XDG_CONFIG_HOME to a folder of yours', file});
		throw new SetupError(`${file} cannot be written: ${why ?? messageOf(error)}.`);
	}
};

/** Makes a theme the one of the next start. Comments of the settings stay. @throws {SetupError} */
export const storeTheme = (theme: Theme): void => {
	const {file, text} = readSettings();
	write(file, withValue(text.trim() === '' ? '{}\n' : text, ['theme'], theme));
};

export type SignIn = {
	readonly profile: string;
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly caFile?: string;
	readonly insecureHttp?: boolean;
};

/** What a sign-in will be called and where its key will be stored. */
export type SignInTarget = {
	readonly profile: string;
	readonly keyFile: string;
	readonly settingsFile: string;
};

/** A name for the profile of an address that has none yet. */
const nameFor = (baseUrl: string): string =>
	hostOf(baseUrl)
		.replaceAll(/[^A-Za-z0-9._-]/g, '-')
		.replace(/^[^A-Za-z0-9]+/, '')
		.slice(0, 64) || 'service';

/** Which profile a sign-in is for: the one named, else the one that has the address, else a new one called as its host. @throws {SetupError} */
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
 * Stores the key (0600) and then the service; the first profile becomes the one that is used by default. Comments of the settings stay.
 * @throws {SetupError} when the settings cannot be understood: then nothing is written.
 */
const storeProfile = ({
	profile,
	baseUrl,
	apiKey,
	caFile,
	insecureHttp,
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
	if (caFile !== undefined) put('caFile', caFile);
	if (insecureHttp) put('insecureHttp', true);
	if (settings.profile === null) text = withValue(text, ['profile'], profile);
	if (text !== settings.text) write(settings.file, text);
	return {...place, isDefault: (settings.profile ?? profile) === profile};
};

/** How a service that is to be signed in to is reached: as its profile says, where there is one. @throws {SetupError} */
export const reachOf = (
	request: Omit<SignIn, 'apiKey'>,
	env: NodeJS.ProcessEnv = process.env,
): Omit<Remote, 'apiKey'> => {
	const settings = readSettings();
	const {profile} = signInTargetOf(settings, {...request, profile: request.profile || undefined});
	const {caFile, insecureHttp} = {...settings.profiles.get(profile), ...request};
	return {baseUrl: request.baseUrl, proxyEnv: proxiesIn(env), ...definedFields({caFile, insecureHttp})};
};

/** Stores a key that the service has taken, and nothing else: `check` throws when it has not. @throws {SetupError} */
export const signIn = async (
	request: SignIn,
	check: (service: Remote) => Promise<void>,
	env: NodeJS.ProcessEnv = process.env,
): Promise<ReturnType<typeof storeProfile>> => {
	const {profile} = signInTargetOf(readSettings(), {...request, profile: request.profile || undefined});
	await check({...reachOf(request, env), apiKey: request.apiKey});
	return storeProfile({...request, profile});
};

/** Address and key file of a profile that names a service; null for others. @throws {SetupError} */
export const knownProfile = (name: string): {readonly address: string; readonly keyFile: string} | null => {
	const profile = readSettings().profiles.get(name);
	return profile === undefined || profile.baseUrl === null
		? null
		: {address: profile.baseUrl, keyFile: profile.keyFile};
};

/** Removes a profile's key; the profile stays. False when there was none. @throws {SetupError} */
export const forgetKey = ({name, keyFile, keyFileIsOurs}: Profile): boolean => {
	if (!existsSync(keyFile)) return false;
	if (!keyFileIsOurs)
		throw new SetupError(`The key of ${name} is in a file of your own, ${keyFile}: remove it there.`);
	unlinkSync(keyFile);
	return true;
};

/** Where an entry of the settings' `keys` stands, short enough for one line: `~/file:line`. */
export const settingLocation = (entry: string): string => {
	const file = settingsFile();
	const home = homedir() + sep;
	return `${file.startsWith(home) ? `~/${file.slice(home.length)}` : file}:${lineOf(readSettings(file).text, placeOfAction(entry))}: ${nameOfAction(entry)}`;
};

/** What is wrong with the settings, or null. */
export const settingsProblem = (): string | null => {
	try {
		readSettings();
		return null;
	} catch (error) {
		return messageOf(error);
	}
};
