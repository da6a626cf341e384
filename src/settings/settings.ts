import {join} from 'node:path';
import {readColumns, type ChosenColumns} from './columns.ts';
import {contentOfFile} from './fields.ts';
import {readJson} from './json-text.ts';
import type {KeepKernels} from './keep-kernels.ts';
import {paths, pathOf} from '../machine/paths.ts';
import {LOCAL, type ProfileInfo, type Theme} from './profile.ts';
import type {PictureSetting} from '../text/pixels/choose.ts';
import {definedFields} from '../text/record.ts';
import {SetupError} from './setup-error.ts';
import {describeIssue, settingsFields, type ProfileFields} from './settings-fields.ts';
import {withoutEnd} from '../text/ends.ts';

/** A service with all that belongs to it. The one called `local` has no base URL: it is the service on this machine. */
export type Profile = {
	readonly name: string;
	readonly baseUrl: string | null;
	/** Whole path of the file that holds its key, which may not be there yet. */
	readonly keyFile: string;
	/** It stands in our own folder, so that logout may remove it. */
	readonly keyFileIsOurs: boolean;
	readonly caFile?: string;
	readonly insecureHttp?: boolean;
	readonly facts: ProfileInfo;
};

export type Settings = {
	readonly file: string;
	/** The text as it is; empty without a file. */
	readonly text: string;
	/** The profile to use when none is named; null: the local service. */
	readonly profile: string | null;
	readonly profiles: ReadonlyMap<string, Profile>;
	readonly theme: Theme;
	/** Null: as the terminal needs it. */
	readonly ascii: boolean | null;
	/** The screens are lines of text, for a screen reader. */
	readonly screenReader: boolean;
	readonly pictures: PictureSetting;
	readonly mouse: boolean;
	readonly colours: Readonly<Record<string, string | undefined>>;
	/** Null: it says nothing of it. */
	readonly keepKernels: KeepKernels | null;
	readonly columns: ChosenColumns;
	/** By `scope.action`, as it was written. */
	readonly keys: Readonly<Record<string, unknown>>;
	/** Commands of the user's own, by name. */
	readonly commands: Readonly<Record<string, {readonly run: string; readonly key?: string | undefined}>>;
};

/** Where in the settings the keys of an action stand: those of the user's own commands stand beside their code. */
export const placeOfAction = (entry: string): readonly string[] =>
	entry.startsWith('own.') ? ['commands', entry.slice('own.'.length), 'key'] : ['keys', entry];

/** What people call it there. */
export const nameOfAction = (entry: string): string => entry.replace(/^own\./, 'commands.');

/** The settings' file, which people edit. */
export const settingsFile = (): string => join(paths().config, 'settings.json');

/** Whether two addresses are one service's. */
export const isSameAddress = (one: string, other: string): boolean =>
	withoutEnd(one, '/') === withoutEnd(other, '/');

/** Where login puts the key of a profile. */
export const ownKeyFile = (name: string): string => join(paths().config, 'keys', name);

const parse = (file: string, text: string): unknown => {
	if (text.trim() === '') return {};
	const read = readJson(text);
	if ('value' in read) return read.value;
	throw new SetupError(
		`${file}:${read.faultLine}: here the text stops being JSON; look for a missing comma, quote or bracket in this line or the one before.`,
	);
};

/**
 * Reads the whole file; without one, what holds then.
 * @throws {SetupError} that names the file, the line and the fix.
 */
export const readSettings = (file = settingsFile()): Settings => {
	const elsewhere = 'set XDG_CONFIG_HOME to a folder of yours';
	const fail = (why: string): SetupError => new SetupError(`The settings ${file} cannot be read: ${why}.`);
	const text = contentOfFile(file, elsewhere, fail) ?? '';
	const parsed = settingsFields.safeParse(parse(file, text));
	if (!parsed.success) {
		const [first, ...others] = parsed.error.issues;
		throw new SetupError(
			`${first ? describeIssue(file, text, first) : file}.${others.length > 0 ? ` It has ${others.length} more such.` : ''}`,
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
		colours = {},
		columns = {},
		keepKernels = null,
		keys = {},
		commands = {},
	} = parsed.data;
	const whole = ([
		name,
		{
			baseUrl,
			keyFile,
			caFile,
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
			...definedFields({caFile: caFile === undefined ? undefined : pathOf(caFile, file), insecureHttp}),
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
		colours,
		columns: readColumns(columns),
		keepKernels,
		keys,
		commands,
	};
};
