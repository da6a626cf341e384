import {createClient} from '../api/client.ts';
import {forgetKey, placeOf, signIn} from '../settings/profile-store.ts';
import {LOCAL} from '../settings/profile.ts';
import {readSettings, type Settings} from '../settings/settings.ts';
import {keyFrom, profileNamed, type Remote} from '../settings/target.ts';
import {given} from '../text/record.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {printNote, printResult} from './print.ts';

const EXAMPLE = 'https://notebooks.example.com';

const addressOf = async (
	{options: {baseUrl, profile}, ask}: Context,
	settings: Settings,
): Promise<string> => {
	const named = settings.profiles.get(profile ?? settings.profile ?? LOCAL);
	const known = baseUrl ?? named?.baseUrl;
	if (known != null) return known.trim();
	if (ask === undefined)
		throw usageError(
			`Name the service with --base-url, as in --base-url ${EXAMPLE}.`,
			'svc-tui login --help shows how.',
		);
	return (await ask(`Address of the service, as in ${EXAMPLE}: `, {masked: false})).trim();
};

const keyOf = async (
	{options: {apiKeyFile}, ask, stdinIsTTY, readStdin}: Context,
	host: string,
): Promise<string> => {
	if (apiKeyFile !== undefined) return keyFrom(apiKeyFile);
	if (ask !== undefined) return (await ask(`API key of ${host} (not shown): `, {masked: true})).trim();
	if (stdinIsTTY)
		throw usageError(
			'There is no terminal to ask for the key in.',
			'Pipe the key into it, or name a file that holds it with --api-key-file.',
		);
	return (await readStdin()).toString('utf8').trim();
};

/** `login`: asks for what is missing, lets the service check the key, and only then stores it. */
export const login = async (context: Context): Promise<void> => {
	const {options, signal} = context;
	const settings = readSettings();
	const baseUrl = await addressOf(context, settings);
	const url = URL.parse(baseUrl);
	// The address is not repeated: it may hold a password.
	if (!url || url.username !== '' || url.password !== '')
		throw new CommandError(
			'config',
			`The address of the service should look like ${EXAMPLE}, without a user name or password.`,
			'Nothing was stored.',
		);
	const {profile, keyFile} = placeOf(settings, {profile: options.profile, baseUrl});
	await printNote(
		context,
		`Once ${url.host} takes it, the key is stored in ${label(keyFile, 400)}, a file that only you can read, for the profile ${profile}.`,
	);
	const apiKey = await keyOf(context, url.host);
	if (apiKey === '')
		throw new CommandError(
			'auth',
			'There is no API key: nothing was typed or piped in.',
			'Nothing was stored.',
		);
	let count = 0;
	const check = async (service: Remote): Promise<void> => {
		const reply = await createClient(service).environments({signal});
		if (reply.ok) {
			count = reply.value.items.length;
			return;
		}
		const isKey = reply.failure.kind === 'auth';
		const why = failed(reply.failure, isKey ? 'Check the key and try again.' : undefined);
		throw new CommandError(why.code, why.message, `Nothing was stored. ${why.next}`, why.detail, why.failure);
	};
	const {caFile, insecureHttp} = options;
	const request = {profile, baseUrl, apiKey, ...given({caFile, insecureHttp})};
	const {keyFile: storedIn, settingsFile, isDefault} = await signIn(request, check, context.env);
	await printResult(
		context,
		{profile, base_url: baseUrl, key_file: storedIn, settings_file: settingsFile, default: isDefault},
		`Signed in to ${url.host}, which has ${count} environments. ${isDefault ? `The profile ${profile} is used by default` : `Use it with --profile ${profile}`}; ${settingsFile} holds it.\n`,
	);
};

/** `logout`: removes the stored key of a profile; the profile stays in the settings. */
export const logout = async (context: Context): Promise<void> => {
	const settings = readSettings();
	const name = context.options.profile ?? settings.profile;
	if (name === null)
		throw usageError(
			'Name the profile to sign out of with --profile.',
			`There are ${[...settings.profiles.keys()].join(', ')}.`,
		);
	const profile = profileNamed(settings, name);
	if (profile.baseUrl === null)
		throw usageError('The local service needs no sign-in: its key is its own.', 'Nothing was removed.');
	const removed = forgetKey(profile);
	await printResult(
		context,
		{profile: name, removed},
		removed
			? `The API key of ${name} is removed from this machine; the profile stays in ${settings.file}.\n`
			: `There is no API key of ${name} on this machine.\n`,
	);
};
