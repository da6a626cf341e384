import {join} from 'node:path';
import type {DigitChoice, LeaderChoice} from './key-choices.ts';
import {readColumns, type ChosenColumns} from './columns.ts';
import {contentOfFile} from './fields.ts';
import {readJson} from './json-text.ts';
import type {ConnectionOptions} from './connection.ts';
import type {HostSettings} from './hosts.ts';
import type {KeepKernels} from './keep-kernels.ts';
import {paths, pathOf} from '../machine/paths.ts';
import {LOCAL, type ProfileInfo, type Theme} from './profile.ts';
import type {PictureSetting} from '../text/pixels/choose.ts';
import {definedFields} from '../text/record.ts';
import {SetupError} from './setup-error.ts';
import {describeIssue, settingsFields, type ProfileFields} from './settings-fields.ts';
import {withoutEnd} from '../text/ends.ts';

/** A service with its options. The profile `local` has no base URL: it is the local service. */
export type Profile = ConnectionOptions & {
	readonly name: string;
	readonly baseUrl: string | null;
	/** Absolute path of the profile's key file, which may not exist yet. */
	readonly keyFile: string;
	/** True if the key file is in our own folder, so that logout may delete it. */
	readonly keyFileIsOurs: boolean;
	readonly facts: ProfileInfo;
};

export type Settings = {
	readonly file: string;
	/** Content of the file. Empty if it does not exist. */
	readonly text: string;
	/** Default profile. Null for the local service. */
	readonly profile: string | null;
	readonly profiles: ReadonlyMap<string, Profile>;
	readonly theme: Theme;
	/** True to use ASCII characters only. Null to use them only if the terminal requires it. */
	readonly ascii: boolean | null;
	/** True if screens are shown as lines of text, for a screen reader. */
	readonly screenReader: boolean;
	readonly pictures: PictureSetting;
	readonly mouse: boolean;
	readonly leader: LeaderChoice;
	readonly digits: DigitChoice;
	readonly colours: Readonly<Record<string, string | undefined>>;
	/** Null if not set. */
	readonly keepKernels: KeepKernels | null;
	readonly columns: ChosenColumns;
	/** Unvalidated keys, by `scope.action`. */
	readonly keys: Readonly<Record<string, unknown>>;
	/** Machines for SSH, by the name that the user gives to `ssh`. */
	readonly hosts: ReadonlyMap<string, HostSettings>;
	/** The user's commands, by name. */
	readonly commands: Readonly<Record<string, {readonly run: string; readonly key?: string | undefined}>>;
};

/** Path of an action's keys in the settings. For a user command it is below `commands`. */
export const placeOfAction = (entry: string): readonly string[] =>
	entry.startsWith('own.') ? ['commands', entry.slice('own.'.length), 'key'] : ['keys', entry];

export const nameOfAction = (entry: string): string => entry.replace(/^own\./, 'commands.');

export const settingsFile = (): string => join(paths().config, 'settings.json');

/** True if both addresses belong to the same service. */
export const isSameAddress = (one: string, other: string): boolean =>
	withoutEnd(one, '/') === withoutEnd(other, '/');

/** Key file that login creates for a profile. */
export const ownKeyFile = (name: string): string => join(paths().config, 'keys', name);

const parse = (file: string, text: string): unknown => {
	if (text.trim() === '') return {};
	const read = readJson(text);
	if ('value' in read) return read.value;
	throw new SetupError(
		`${file}:${read.faultLine}: invalid JSON; look for a missing comma, quote or bracket on this or the previous line.`,
	);
};

/**
 * Reads the settings file. A missing file yields the defaults.
 * @throws {SetupError} with the file, the line and the fix.
 */
export const readSettings = (file = settingsFile()): Settings => {
	const elsewhere = 'set XDG_CONFIG_HOME to a folder you own';
	const fail = (why: string): SetupError => new SetupError(`The settings ${file} cannot be read: ${why}.`);
	const text = contentOfFile(file, elsewhere, fail) ?? '';
	const parsed = settingsFields.safeParse(parse(file, text));
	if (!parsed.success) {
		const [first, ...others] = parsed.error.issues;
		throw new SetupError(
			`${first ? describeIssue(file, text, first) : file}.${others.length > 0 ? ` (${others.length} more problem${others.length === 1 ? '' : 's'}.)` : ''}`,
		);
	}
	const {
		profile = null,
		profiles = {},
		theme = 'terminal',
		ascii = null,
		screenReader = false,
		pictures = 'auto',
		mouse = false,
		leader = 'space',
		digits = 'screens',
		colours = {},
		columns = {},
		keepKernels = null,
		keys = {},
		commands = {},
		hosts = {},
	} = parsed.data;
	const whole = ([
		name,
		{
			baseUrl,
			keyFile,
			caFile,
			clientCertFile,
			clientKeyFile,
			insecureHttp,
			models = [],
			currency = '',
			dailyLimit,
			colour,
			readOnly = false,
			live = true,
		},
	]: readonly [string, ProfileFields]): readonly [string, Profile] => [
		name,
		{
			name,
			baseUrl: baseUrl ?? null,
			keyFile: keyFile === undefined ? ownKeyFile(name) : pathOf(keyFile, file),
			keyFileIsOurs: keyFile === undefined,
			...definedFields({
				caFile: caFile && pathOf(caFile, file),
				clientCertFile: clientCertFile && pathOf(clientCertFile, file),
				clientKeyFile: clientKeyFile && pathOf(clientKeyFile, file),
				insecureHttp,
			}),
			facts: {
				serviceName: name,
				isLocal: name === LOCAL,
				readOnly,
				live,
				currency,
				dailyLimit: dailyLimit ?? null,
				colour: colour ?? null,
				models,
			},
		},
	];
	return {
		file,
		text,
		profile,
		profiles: new Map(Object.entries({[LOCAL]: {}, ...profiles}).map(whole)),
		theme,
		ascii,
		screenReader,
		pictures,
		mouse,
		leader,
		digits,
		colours,
		columns: readColumns(columns),
		keepKernels,
		keys,
		commands,
		hosts: new Map(Object.entries(hosts)),
	};
};
