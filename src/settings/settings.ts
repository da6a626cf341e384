import {join} from 'node:path';
import * as z from 'zod';
import {addressField, contentOf, isPlainName, textField, unknownField} from './fields.ts';
import {lineOf, readJson} from './json-text.ts';
import {KEEP_KERNELS_RULE, parseKeepKernels, type KeepKernels} from './keep-kernels.ts';
import {paths, pathOf} from '../state/paths.ts';
import {
	COLOUR_ROLES,
	isHex,
	LOCAL,
	PROFILE_COLOURS,
	THEMES,
	type ModelName,
	type ProfileFacts,
	type Theme,
} from './profile.ts';
import {PICTURE_SETTINGS, type PictureSetting} from '../text/pixels/choose.ts';
import {given} from '../text/record.ts';
import {SetupError} from './setup-error.ts';

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
	readonly facts: ProfileFacts;
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
	/** Null: it says nothing of it. */
	readonly keepKernels: KeepKernels | null;
	/** By `scope.action`, as it was written. */
	readonly keys: Readonly<Record<string, unknown>>;
};

const EXAMPLE = 'https://notebooks.example.com';
const NO_KEY = 'a key does not belong in this file: svc-tui login puts it in a file that only you can read';
const oneOf = (values: readonly string[]): string => values.map(value => JSON.stringify(value)).join(', ');

const HEX_RULE = 'must be a colour such as "#ff8800"';

const modelField = z.union(
	[
		textField('an id, as in "model_1"', 100).transform(id => ({id, name: id})),
		z
			.strictObject({
				id: textField('the last part of the model\'s address, as in "model_1"', 100),
				name: textField('a name for people', 40).optional(),
			})
			.transform(({id, name}): ModelName => ({id, name: name ?? id})),
	],
	'must be an id, or an object such as {"id": "model_1", "name": "Fast"}',
);

const profileFields = z.strictObject(
	{
		baseUrl: addressField('the address of the service', {example: EXAMPLE, instead: NO_KEY}).optional(),
		keyFile: textField('the path of a file that holds the key and nothing else', 4096).optional(),
		caFile: textField('the path of a PEM file', 4096).optional(),
		insecureHttp: z.boolean('must be true or false').optional(),
		models: z
			.array(
				modelField,
				'must be a list of the assistant\'s models, as in ["model_1", {"id": "model_2", "name": "Fast"}]',
			)
			.min(1, 'is empty: leave it out, or name the models')
			.max(5, 'has more than the five models of the service')
			.optional(),
		currency: textField('what stands before "/h", as in "EUR"', 8).optional(),
		colour: z.enum(PROFILE_COLOURS, `must be one of ${oneOf(PROFILE_COLOURS)}`).optional(),
		readOnly: z.boolean('must be true or false').optional(),
		live: z.boolean('must be true or false').optional(),
	},
	`must be an object such as {"baseUrl": ${JSON.stringify(EXAMPLE)}}`,
);

const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const NAME_RULE =
	"a profile's name is 1 to 64 letters, digits, points, dashes and underscores, and begins with a letter or a digit";

/** Why a profile cannot have a name, or undefined. */
export const profileNameFault = (name: string): string | undefined =>
	PROFILE_NAME.test(name) ? undefined : `${JSON.stringify(name)} cannot be used: ${NAME_RULE}.`;

const colourFields = z.strictObject(
	Object.fromEntries(COLOUR_ROLES.map(role => [role, z.string(HEX_RULE).refine(isHex, HEX_RULE).optional()])),
	'must be an object such as {"accent": "#ff8800"}',
);

const settingsFields = z
	.strictObject(
		{
			profile: textField('the name of the profile to use when none is named').optional(),
			theme: z.enum(THEMES, `must be one of ${oneOf(THEMES)}`).optional(),
			colours: colourFields.optional(),
			ascii: z.boolean('must be true or false').optional(),
			screenReader: z.boolean('must be true or false').optional(),
			mouse: z.boolean('must be true or false').optional(),
			pictures: z.enum(PICTURE_SETTINGS, `must be one of ${oneOf(PICTURE_SETTINGS)}`).optional(),
			keepKernels: z
				.string(KEEP_KERNELS_RULE)
				.refine(text => parseKeepKernels(text) !== null, KEEP_KERNELS_RULE)
				.transform(parseKeepKernels)
				.optional(),
			keys: z
				.record(z.string(), z.unknown(), 'must be an object such as {"servers.start": ["s", "ctrl+s"]}')
				.optional(),
			profiles: z
				.record(
					z.string().regex(PROFILE_NAME, 'is not a profile name'),
					profileFields,
					`must be an object such as {"work": {"baseUrl": ${JSON.stringify(EXAMPLE)}}}`,
				)
				.optional(),
		},
		'must be an object such as {"theme": "light"}',
	)
	.superRefine(({profile, profiles = {}}, {addIssue}) => {
		const fault = (path: string[], message: string): void => addIssue({code: 'custom', path, message});
		const names = [LOCAL, ...Object.keys(profiles).filter(name => name !== LOCAL)];
		if (profile !== undefined && !names.includes(profile)) {
			const why = `names ${JSON.stringify(profile)}, which does not exist; the profiles are ${names.join(', ')}`;
			fault(['profile'], why);
		}
		for (const [name, {baseUrl}] of Object.entries(profiles)) {
			if (name === LOCAL && baseUrl !== undefined)
				fault(
					['profiles', name, 'baseUrl'],
					'is not for the local service, which is found by itself; give this profile another name',
				);
			if (name !== LOCAL && baseUrl === undefined)
				fault(['profiles', name], `needs "baseUrl", as in "baseUrl": ${JSON.stringify(EXAMPLE)}`);
		}
	});

/** What each object has, by how deep it is. */
const KNOWN = [
	`the settings have ${Object.keys(settingsFields.shape).join(', ')}`,
	`colours are those of ${COLOUR_ROLES.join(', ')}`,
	`a profile has ${Object.keys(profileFields.shape).join(', ')}`,
];

const describe = (file: string, text: string, issue: z.core.$ZodIssue): string => {
	const isUnknown = issue.code === 'unrecognized_keys';
	const path = [...issue.path, ...(isUnknown ? issue.keys.slice(0, 1) : [])].map(String);
	if (issue.code === 'invalid_key')
		return `${file}:${lineOf(text, path)}: profiles.${isPlainName(path.at(-1) ?? '') ? path.at(-1) : '…'}: ${NAME_RULE}`;
	return `${file}:${lineOf(text, path)}: ${isUnknown ? unknownField(issue, KNOWN[issue.path.length] ?? 'a model has id, name', NO_KEY) : `${issue.path.join('.') || 'it'} ${issue.message}`}`;
};

/** The settings' file, which people edit. */
export const settingsFile = (): string => join(paths().config, 'settings.json');

/** Whether two addresses are one service's. */
export const isSameAddress = (one: string, other: string): boolean =>
	one.replace(/\/+$/, '') === other.replace(/\/+$/, '');

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
	const text = contentOf(file, elsewhere, fail) ?? '';
	const parsed = settingsFields.safeParse(parse(file, text));
	if (!parsed.success) {
		const [first, ...others] = parsed.error.issues;
		throw new SetupError(
			`${first ? describe(file, text, first) : file}.${others.length > 0 ? ` It has ${others.length} more such.` : ''}`,
		);
	}
	const {
		profile = null,
		profiles = {},
		theme = 'terminal',
		ascii = null,
		screenReader = false,
		pictures = 'auto',
		keepKernels = null,
		keys = {},
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
			colour,
			readOnly = false,
			live = true,
		},
	]: readonly [string, z.output<typeof profileFields>]): readonly [string, Profile] => [
		name,
		{
			name,
			baseUrl: baseUrl ?? null,
			keyFile: keyFile === undefined ? ownKeyFile(name) : pathOf(keyFile, file),
			keyFileIsOurs: keyFile === undefined,
			...given({caFile: caFile === undefined ? undefined : pathOf(caFile, file), insecureHttp}),
			facts: {
				serviceName: name,
				isLocal: name === LOCAL,
				readOnly,
				live,
				currency,
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
		keepKernels,
		keys,
	};
};
