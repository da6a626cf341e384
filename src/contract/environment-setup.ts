// Extension of the API: contents of environments, and the user's own environments.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {lenientCount, lenientList, lenientOptional} from './lenient.ts';

const ID = /^[a-z0-9][a-z0-9._-]{0,40}$/;

/** True for an id that a user may give an environment. */
export const isEnvironmentId = (text: string): boolean => ID.test(text);

const installed = z.looseObject({name: z.string(), version: lenientOptional});

/** Files that a start would fetch. */
const download = z.looseObject({
	/** Host that sends the files. */
	from: z.string(),
	files: z.number(),
	/** Total size. Null if unknown. */
	bytes: lenientCount,
	/** True if the user has agreed to the download. */
	allowed: z.boolean(),
});

export const environmentContents = z.looseObject({
	environment_id: z.string(),
	/**
	 * Source of the environment, as text: the program that runs the code, and its folder if it has
	 * one.
	 */
	source: z.string(),
	/** Version of Python. Null if unknown. */
	python: lenientOptional,
	packages: lenientList(installed),
	/** Bytes on disk of the environment's own files. Null if unknown. */
	size: lenientCount,
	/** `build`: the first start builds the environment. `download`: it downloads packages. */
	state: z.enum(['ready', 'download', 'build']),
	download: download.nullish(),
	/** Effect of installing a package in a cell, as a sentence. */
	installs: lenientOptional,
	/** True if the user has created the environment. */
	own: z.boolean(),
});
export type EnvironmentContents = z.infer<typeof environmentContents>;

const one = z.looseObject({...success, environment: environmentContents});

const setupAnswer = z.looseObject({...success, environments: lenientList(environmentContents)});

export const getSetup = {
	method: 'GET',
	path: '../local/environments',
	body: undefined,
	response: setupAnswer,
} as const satisfies Endpoint<undefined, typeof setupAnswer>;

const environmentRequest = z.object({environment_id: z.string()});

/** Contents of one environment, with the size of its download as the source reports it. */
export const planEnvironment = {
	method: 'POST',
	path: '../local/environments/plan',
	body: environmentRequest,
	response: one,
} as const satisfies Endpoint<typeof environmentRequest, typeof one>;

/**
 * Records the user's consent to downloading the packages of an environment when a server starts.
 */
export const allowDownload = {
	method: 'POST',
	path: '../local/environments/allow',
	body: environmentRequest,
	response: one,
} as const satisfies Endpoint<typeof environmentRequest, typeof one>;

export const createEnvironmentRequest = z.object({
	environment_id: z.string(),
	/** Names of packages. On the Jupyter engine also requirements, such as `numpy>=2`. */
	packages: z.array(z.string()),
	/** Program of the base Python. By default the machine's. */
	python: z.string().optional(),
	/** True to include the packages of the base Python. */
	system: z.boolean().optional(),
});
export type CreateEnvironmentRequest = z.infer<typeof createEnvironmentRequest>;

export const createEnvironment = {
	method: 'POST',
	path: '../local/environments/create',
	body: createEnvironmentRequest,
	response: one,
} as const satisfies Endpoint<typeof createEnvironmentRequest, typeof one>;

export const removeEnvironment = {
	method: 'POST',
	path: '../local/environments/remove',
	body: environmentRequest,
	response: z.looseObject({...success}),
} as const satisfies Endpoint<typeof environmentRequest, z.ZodType>;
