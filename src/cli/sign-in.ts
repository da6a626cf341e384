import {connectionOf} from '../settings/connection.ts';
import {browserSignIn} from '../api/browser-sign-in.ts';
import {createClient} from '../api/client.ts';
import type {ClientSettings, SignInWays} from '../api/client-types.ts';
import {signInWaysOf} from '../api/key-page.ts';
import {forgetKey, signInTargetOf, reachOf, signIn} from '../settings/profile-store.ts';
import {LOCAL} from '../settings/profile.ts';
import {readSettings, type Settings} from '../settings/settings.ts';
import {keyFrom, profileNamed, type Remote} from '../settings/target.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {printNotice, printResult} from './print.ts';

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
			`Give the address of the service, e.g. --base-url ${EXAMPLE}.`,
			'svc-tui login --help shows how.',
		);
	return (await ask(`Address of the service, e.g. ${EXAMPLE}: `, {masked: false})).trim();
};

/**
 * Key from signing in with a browser. @throws {CommandError} if the user, the hub or the service
 * refuses, or after five minutes.
 */
const keyByBrowser = async (context: Context, reach: Omit<ClientSettings, 'apiKey'>): Promise<string> => {
	const outcome = await browserSignIn(reach, {
		signal: context.signal,
		async open({address, mark}) {
			const isOpened = await context.open(address, null).catch(() => false);
			await printNotice(
				context,
				`${isOpened ? 'Sign in in your browser' : 'No browser found. Open this page on this machine'}: ${address}`,
			);
			await printNotice(context, `Continue there only if it shows ${mark}.`);
		},
	});
	if (outcome === null) throw new CommandError('cancelled', 'Stopped.', 'Nothing was stored.');
	if ('key' in outcome) return outcome.key;
	if ('failure' in outcome) throw failed(outcome.failure, 'Nothing was stored.');
	throw new CommandError('auth', outcome.refusal, 'Nothing was stored. Try again, or paste an API key.');
};

const keyOf = async (
	context: Context,
	host: string,
	{
		ways,
		withBrowser,
	}: {readonly ways: () => Promise<SignInWays>; readonly withBrowser: () => Promise<string>},
): Promise<string> => {
	const {ask} = context;
	if (context.options.apiKeyFile !== undefined) return keyFrom(context.options.apiKeyFile);
	if (ask !== undefined) {
		const answer = async (): Promise<string> =>
			(await ask(`API key of ${host} (not shown): `, {masked: true})).trim();
		const {page, hasBrowser} = await ways();
		if (hasBrowser) {
			await printNotice(context, `Press Enter to sign in to ${host} in a browser, or paste an API key.`);
			const typed = await answer();
			return typed === '' ? withBrowser() : typed;
		}
		if (page !== null)
			await printNotice(context, `Create a key for ${host} at ${page} (press Enter to open the page).`);
		const first = await answer();
		if (page === null || first !== '') return first;
		// If the page cannot be written for the browser, the command behaves as without a browser.
		const isOpened = await context.open(page, null).catch(() => false);
		await printNotice(
			context,
			isOpened
				? 'Opened in your browser. Paste the key here.'
				: 'No browser found. Open the page on another machine, and paste the key here.',
		);
		return answer();
	}
	if (context.stdinIsTTY)
		throw usageError(
			'Cannot prompt for the key: no terminal.',
			'Pipe the key in, or pass a file that contains it with --api-key-file.',
		);
	return (await context.readStdin()).toString('utf8').trim();
};

/**
 * Runs `login`: asks for missing data and checks the key with the service. Stores the key only
 * after that.
 */
export const login = async (context: Context): Promise<void> => {
	const {options, signal} = context;
	const settings = readSettings();
	const baseUrl = await addressOf(context, settings);
	const url = URL.parse(baseUrl);
	// The error does not repeat the address, which may contain a password.
	if (!url || url.username !== '' || url.password !== '')
		throw new CommandError(
			'config',
			`The address of the service should look like ${EXAMPLE}, without a user name or password.`,
			'Nothing was stored.',
		);
	const {profile, keyFile} = signInTargetOf(settings, {profile: options.profile, baseUrl});
	await printNotice(
		context,
		`If ${url.host} accepts it, the key is stored for profile ${profile} in ${label(keyFile, 400)}, readable only by you.`,
	);
	const place = {profile, baseUrl, ...connectionOf(options)};
	const reach = reachOf(place, context.env);
	const ways = (): Promise<SignInWays> => signInWaysOf(reach, [signal]);
	/** Advice on a missing or rejected key. */
	const makeOne = async (otherwise: string): Promise<string> => {
		const {page} = await ways();
		return page === null ? otherwise : `Create one at ${page} and try again.`;
	};
	const apiKey = await keyOf(context, url.host, {ways, withBrowser: () => keyByBrowser(context, reach)});
	if (apiKey === '')
		throw new CommandError(
			'auth',
			'No API key was typed or piped in.',
			['Nothing was stored.', await makeOne('')].join(' ').trim(),
		);
	let count = 0;
	const check = async (service: Remote): Promise<void> => {
		const reply = await createClient(service).environments({signal});
		if (reply.ok) {
			count = reply.value.items.length;
			return;
		}
		// Here a 403 may also mean an invalid key, because no service has accepted this key yet.
		const isKey = reply.failure.kind === 'auth' || reply.failure.status === 403;
		const {advice: _, ...failure} = reply.failure;
		const why = isKey
			? failed({...failure, kind: 'auth'}, await makeOne('Check the key and try again.'))
			: failed(reply.failure);
		throw new CommandError(why.code, why.message, `Nothing was stored. ${why.next}`, why.detail, why.failure);
	};
	const {keyFile: storedIn, settingsFile, isDefault} = await signIn({...place, apiKey}, check, context.env);
	await printResult(
		context,
		{profile, base_url: baseUrl, key_file: storedIn, settings_file: settingsFile, default: isDefault},
		`Signed in to ${url.host} (${count} ${count === 1 ? 'environment' : 'environments'}). ${isDefault ? `Profile ${profile} is the default` : `Use it with --profile ${profile}`}; it is stored in ${settingsFile}.\n`,
	);
};

/** Runs `logout`: removes the stored key of a profile. The profile remains in the settings. */
export const logout = async (context: Context): Promise<void> => {
	const settings = readSettings();
	const name = context.options.profile ?? settings.profile;
	if (name === null)
		throw usageError(
			'Choose the profile to sign out of with --profile.',
			`Profiles are ${[...settings.profiles.keys()].join(', ')}.`,
		);
	const profile = profileNamed(settings, name);
	if (profile.baseUrl === null)
		throw usageError('The local service needs no sign-in: it has its own key.', 'Nothing was removed.');
	const removed = forgetKey(profile);
	await printResult(
		context,
		{profile: name, removed},
		removed
			? `The API key of ${name} was removed from this machine; the profile stays in ${settings.file}.\n`
			: `There is no API key of ${name} on this machine.\n`,
	);
};
