// Settings for the first frame. Read without a schema to save time; settings.ts reports errors a
// moment later.
import {PICTURE_BLOCKS, type PictureBlocks} from '../text/output/block-cells.ts';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {DIGIT_CHOICES, LEADER_CHOICES, type DigitChoice, type LeaderChoice} from './key-choices.ts';
import {readJson} from './json-text.ts';
import {readColumns, type ChosenColumns} from './columns.ts';
import {paths} from '../machine/paths.ts';
import {
	COLOUR_ROLES,
	isHex,
	LOCAL,
	LOCAL_PROFILE,
	PROFILE_COLOURS,
	THEMES,
	type CustomColours,
	type ProfileInfo,
	type Theme,
} from './profile.ts';
import type {ServiceOptions} from './target.ts';
import type {PictureSetting} from '../text/pixels/choose.ts';
import {fieldsOf} from '../text/record.ts';
import {withoutEnd} from '../text/ends.ts';

export type StartupSettings = {
	readonly facts: ProfileInfo;
	/** Base URL, or `local`. Drafts and the last location are stored per service. */
	readonly service: string;
	/**
	 * Distinguishes users of one service: the name of the profile, or a hash of it with an explicit
	 * key. Empty for the local service, and if there is neither a profile nor a key.
	 */
	readonly account: string;
	/**
	 * True if this user inherits files of older versions, which did not separate users. The heir is
	 * the first profile of the service; if there is none, the user who passes its address.
	 */
	readonly isHeir: boolean;
	/** True if an address was passed, and no profile. */
	readonly isByAddress: boolean;
	readonly theme: Theme;
	/** True to use ASCII characters only. Null to use them only if the terminal requires it. */
	readonly ascii: boolean | null;
	readonly colours: CustomColours;
	readonly mouse: boolean;
	readonly leader: LeaderChoice;
	readonly digits: DigitChoice;
	readonly columns: ChosenColumns;
	readonly pictures: PictureSetting;
	readonly pictureBlocks: PictureBlocks;
	readonly keys: Readonly<Record<string, unknown>>;
	readonly commands: Readonly<Record<string, unknown>>;
};

type Fields = Readonly<Record<string, unknown>>;

const read = (): Fields => {
	try {
		const read = readJson(readFileSync(join(paths().config, 'settings.json'), 'utf8'));
		return fieldsOf('value' in read ? read.value : undefined);
	} catch {
		return {};
	}
};

const text = (value: unknown): string | undefined =>
	typeof value === 'string' ? value.trim() || undefined : undefined;

/** Base URL, normalised so that equal services compare equal. */
const serviceAddress = (baseUrl: string): string => {
	const {origin = '', pathname = ''} = URL.parse(baseUrl) ?? {};
	return origin + withoutEnd(pathname, '/');
};

/** `key`: key from the environment, unless it is meant for another service. */
const accountOf = (profile: string, file: string | undefined, key: string | undefined): string => {
	const given = file ?? key;
	if (given === undefined) return profile;
	const hash = createHash('sha256')
		.update(JSON.stringify([profile, file, key]))
		.digest('hex');
	return hash.slice(0, 32);
};

const isLimit = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value) && value > 0;

const factsOf = (name: string, profile: Fields): ProfileInfo => ({
	...LOCAL_PROFILE,
	serviceName: name,
	isLocal: name === LOCAL,
	readOnly: profile['readOnly'] === true,
	live: profile['live'] !== false,
	currency: /^\P{C}{1,8}$/u.exec(text(profile['currency']) ?? '')?.[0] ?? '',
	dailyLimit: isLimit(profile['dailyLimit']) ? profile['dailyLimit'] : null,
	colour: PROFILE_COLOURS.find(each => each === profile['colour']) ?? null,
});

/** Reads the settings and ignores invalid values. Never throws. */
export const readStartupSettings = (
	{baseUrl, profile, apiKeyFile}: ServiceOptions,
	env: NodeJS.ProcessEnv = process.env,
): StartupSettings => {
	const settings = read();
	const colours = fieldsOf(settings['colours']);
	const look = {
		theme: THEMES.find(each => each === settings['theme']) ?? 'terminal',
		ascii: typeof settings['ascii'] === 'boolean' ? settings['ascii'] : null,
		colours: Object.fromEntries(
			COLOUR_ROLES.flatMap(role => (isHex(colours[role]) ? [[role, colours[role]]] : [])),
		),
		mouse: settings['mouse'] === true,
		leader: LEADER_CHOICES.find(each => each === settings['leader']) ?? 'space',
		digits: DIGIT_CHOICES.find(each => each === settings['digits']) ?? 'screens',
		columns: readColumns(settings['columns']),
		pictures: settings['pictures'] === 'blocks' ? ('blocks' as const) : ('auto' as const),
		pictureBlocks: PICTURE_BLOCKS.find(each => each === settings['pictureBlocks']) ?? 'quadrants',
		keys: fieldsOf(settings['keys']),
		commands: fieldsOf(settings['commands']),
	};
	const profiles = fieldsOf(settings['profiles']);
	const firstOf = (service: string): string | undefined =>
		Object.keys(profiles).find(
			each => serviceAddress(text(fieldsOf(profiles[each])['baseUrl']) ?? '') === service,
		);
	const address = text(baseUrl) ?? (profile === undefined ? text(env['SVC_BASE_URL']) : undefined);
	const key = text(env['SVC_API_KEY']);
	if (address !== undefined)
		return {
			...look,
			isByAddress: true,
			service: serviceAddress(address),
			account: accountOf('', apiKeyFile, key),
			isHeir: firstOf(serviceAddress(address)) === undefined,
			facts: {...LOCAL_PROFILE, serviceName: URL.parse(address)?.host ?? address, isLocal: false},
		};
	const name = profile ?? text(settings['profile']) ?? LOCAL;
	const found = fieldsOf(Object.hasOwn(profiles, name) ? profiles[name] : undefined);
	const service = name === LOCAL ? LOCAL : serviceAddress(text(found['baseUrl']) ?? '');
	const named = text(env['SVC_BASE_URL']);
	const isKeyOfThis = named === undefined || serviceAddress(named) === service;
	const account = name === LOCAL ? '' : accountOf(name, apiKeyFile, isKeyOfThis ? key : undefined);
	return {
		...look,
		isByAddress: false,
		service,
		account,
		isHeir: name === LOCAL || (account === name && firstOf(service) === name),
		facts: factsOf(name, found),
	};
};
