// Schema of the settings file, and messages for its errors.
import {PICTURE_BLOCKS} from '../text/output/block-cells.ts';
import * as z from 'zod';
import type {ModelName} from '../contract/model-names.ts';
import {PICTURE_SETTINGS} from '../text/pixels/choose.ts';
import {COLUMNS, columnRule, isColumnChoice} from './columns.ts';
import {addressField, isPlainName, schemaField, textField, unknownField} from './fields.ts';
import {HOST_NAME, hostFields} from './hosts.ts';
import {lineOf} from './json-text.ts';
import {DIGIT_CHOICES, LEADER_CHOICES} from './key-choices.ts';
import {KEEP_KERNELS_RULE, parseKeepKernels} from './keep-kernels.ts';
import {limitFields} from './limits.ts';
import {COLOUR_ROLES, isHex, LOCAL, PROFILE_COLOURS, THEMES} from './profile.ts';

const EXAMPLE = 'https://notebooks.example.com';
const NO_KEY = 'do not put API keys in this file; svc-tui login stores them in a private file';
const oneOf = (values: readonly string[]): string => values.map(value => JSON.stringify(value)).join(', ');

const LIMIT_RULE = 'must be a number above 0, as in 20';
const HEX_RULE = 'must be a colour such as "#ff8800"';

const modelField = z.union(
	[
		textField('an id, as in "model_1"', 100).transform(id => ({id, name: id})),
		z
			.strictObject({
				id: textField('the last part of the model\'s address, as in "model_1"', 100),
				name: textField('a display name', 40).optional(),
			})
			.transform(({id, name}): ModelName => ({id, name: name ?? id})),
	],
	'must be an id, or an object such as {"id": "model_1", "name": "Fast"}',
);

const profileFields = z.strictObject(
	{
		baseUrl: addressField('the address of the service', {example: EXAMPLE, instead: NO_KEY}).optional(),
		keyFile: textField('the path of a file that contains only the key', 4096).optional(),
		caFile: textField('the path of a PEM file', 4096).optional(),
		clientCertFile: textField('the path of a PEM file', 4096).optional(),
		clientKeyFile: textField('the path of a PEM file', 4096).optional(),
		insecureHttp: z.boolean('must be true or false').optional(),
		models: z
			.array(
				modelField,
				'must be a list of the assistant\'s models, as in ["model_1", {"id": "model_2", "name": "Fast"}]',
			)
			.min(1, 'is empty: remove it, or name the models')
			.max(5, 'has more than the five models of the service')
			.optional(),
		currency: textField('text before "/h", as in "EUR"', 8).optional(),
		dailyLimit: z.number(LIMIT_RULE).positive(LIMIT_RULE).optional(),
		colour: z.enum(PROFILE_COLOURS, `must be one of ${oneOf(PROFILE_COLOURS)}`).optional(),
		readOnly: z.boolean('must be true or false').optional(),
		live: z.boolean('must be true or false').optional(),
	},
	`must be an object such as {"baseUrl": ${JSON.stringify(EXAMPLE)}}`,
);

export type ProfileFields = z.output<typeof profileFields>;

const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const NAME_RULE =
	'a profile name is 1 to 64 letters, digits, dots, dashes or underscores, starting with a letter or digit';

/** Reason why a profile name is invalid, or undefined. */
export const profileNameFault = (name: string): string | undefined =>
	PROFILE_NAME.test(name) ? undefined : `${JSON.stringify(name)} cannot be used: ${NAME_RULE}.`;

const colourFields = z.strictObject(
	Object.fromEntries(COLOUR_ROLES.map(role => [role, z.string(HEX_RULE).refine(isHex, HEX_RULE).optional()])),
	'must be an object such as {"accent": "#ff8800"}',
);

const columnsOf = <T extends string>(all: readonly T[]) =>
	z
		.custom<readonly T[]>(value => isColumnChoice(all, value), columnRule(all))
		.meta({type: 'array', items: {enum: all}, uniqueItems: true, contains: {const: all[0]}})
		.optional();
const columnFields = z.strictObject(
	{servers: columnsOf(COLUMNS.servers), compute: columnsOf(COLUMNS.compute)},
	'must be an object such as {"servers": ["name", "state", "rate"]}',
);

const HOST_RULE = 'a host name is an alias of ~/.ssh/config: letters, digits, dots, dashes and underscores';
const COMMAND_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
const COMMAND_RULE =
	'a command name is 1 to 32 letters, digits, dashes or underscores, starting with a letter';
const RUN_RULE = 'must be the code that it runs on the server, as in "!nvidia-smi"';

const commandFields = z.strictObject(
	{
		run: z.string(RUN_RULE).max(10_000, 'is longer than 10000 characters').regex(/\S/, RUN_RULE),
		key: textField('a key such as "ctrl+g"', 40).optional(),
	},
	'must be an object such as {"run": "!nvidia-smi", "key": "ctrl+g"}',
);

export const settingsFields = z
	.strictObject(
		{
			$schema: schemaField,
			profile: textField('the name of the profile to use when none is named').optional(),
			theme: z.enum(THEMES, `must be one of ${oneOf(THEMES)}`).optional(),
			colours: colourFields.optional(),
			columns: columnFields.optional(),
			ascii: z.boolean('must be true or false').optional(),
			screenReader: z.boolean('must be true or false').optional(),
			mouse: z.boolean('must be true or false').optional(),
			pictures: z.enum(PICTURE_SETTINGS, `must be one of ${oneOf(PICTURE_SETTINGS)}`).optional(),
			pictureBlocks: z.enum(PICTURE_BLOCKS, `must be one of ${oneOf(PICTURE_BLOCKS)}`).optional(),
			leader: z.enum(LEADER_CHOICES, `must be one of ${oneOf(LEADER_CHOICES)}`).optional(),
			digits: z.enum(DIGIT_CHOICES, `must be one of ${oneOf(DIGIT_CHOICES)}`).optional(),
			keepKernels: z
				.string(KEEP_KERNELS_RULE)
				.refine(text => parseKeepKernels(text) !== null, KEEP_KERNELS_RULE)
				.transform(parseKeepKernels)
				.optional(),
			limits: limitFields.optional(),
			keys: z
				.record(z.string(), z.unknown(), 'must be an object such as {"servers.start": ["s", "ctrl+s"]}')
				.optional(),
			commands: z
				.record(
					z.string().regex(COMMAND_NAME, 'is not a command name'),
					commandFields,
					'must be an object such as {"gpu": {"run": "!nvidia-smi", "key": "ctrl+g"}}',
				)
				.optional(),
			hosts: z
				.record(
					z.string().regex(HOST_NAME, 'is not a host name'),
					hostFields,
					'must be an object such as {"lab": {"python": "~/envs/ml/bin/python"}}',
				)
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
					'does not apply to the local service, which is found automatically; give this profile another name',
				);
			if (name !== LOCAL && baseUrl === undefined)
				fault(['profiles', name], `needs "baseUrl", as in "baseUrl": ${JSON.stringify(EXAMPLE)}`);
		}
	});

/** Valid fields, by depth of the object. */
const KNOWN = [
	`the settings have ${Object.keys(settingsFields.shape).slice(1).join(', ')}`,
	`colours are those of ${COLOUR_ROLES.join(', ')}`,
	`a profile has ${Object.keys(profileFields.shape).join(', ')}`,
];

/** Message with position: `FILE:LINE: field must be …`. */
export const describeIssue = (file: string, text: string, issue: z.core.$ZodIssue): string => {
	const isUnknown = issue.code === 'unrecognized_keys';
	const path = [...issue.path, ...(isUnknown ? issue.keys.slice(0, 1) : [])].map(String);
	const isOfCommands = path[0] === 'commands';
	const isOfColumns = path[0] === 'columns';
	const isOfHosts = path[0] === 'hosts';
	const isOfLimits = path[0] === 'limits';
	if (issue.code === 'invalid_key')
		return `${file}:${lineOf(text, path)}: ${path[0] ?? ''}.${isPlainName(path.at(-1) ?? '') ? path.at(-1) : '…'}: ${isOfCommands ? COMMAND_RULE : isOfHosts ? HOST_RULE : NAME_RULE}`;
	const known = isOfCommands
		? 'a command has run, key'
		: isOfColumns
			? `columns are those of ${Object.keys(COLUMNS).join(', ')}`
			: isOfHosts
				? `a host has ${Object.keys(hostFields.shape).join(', ')}`
				: isOfLimits
					? `limits are ${Object.keys(limitFields.shape).join(', ')}`
					: (KNOWN[issue.path.length] ?? 'a model has id, name');
	return `${file}:${lineOf(text, path)}: ${isUnknown ? unknownField(issue, known, NO_KEY) : `${issue.path.join('.') || 'it'} ${issue.message}`}`;
};
