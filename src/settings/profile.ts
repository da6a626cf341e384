// Profile types without the schema, because the first frame imports this file and the schema loads
// slowly.
import type {ModelName} from '../contract/model-names.ts';

export const THEMES = ['terminal', 'dark', 'light', 'high-contrast'] as const;
/** `terminal`: the terminal's own 16 colours. */
export type Theme = (typeof THEMES)[number];

/** Theme roles whose colour users can set. */
export const COLOUR_ROLES = [
	'accent',
	'dim',
	'good',
	'busy',
	'bad',
	'keyword',
	'string',
	'number',
	'type',
	'comment',
	'added',
	'removed',
] as const;
export type Hex = `#${string}`;
/** Colours that override the theme's. */
export type CustomColours = Readonly<Partial<Record<(typeof COLOUR_ROLES)[number], Hex>>>;
export const isHex = (value: unknown): value is Hex =>
	typeof value === 'string' && /^#[\da-f]{6}$/i.test(value);

export const PROFILE_COLOURS = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta'] as const;
export type ProfileColour = (typeof PROFILE_COLOURS)[number];

/** Name of the local service's profile. It exists without settings. */
export const LOCAL = 'local';

/** Display options and permissions for a service. */
export type ProfileInfo = {
	/** Name of the profile, or the host of a service without one. */
	readonly serviceName: string;
	readonly isLocal: boolean;
	/** True if nothing may be changed or spent. */
	readonly readOnly: boolean;
	/** True if live links to servers are allowed. */
	readonly live: boolean;
	/** Currency, shown before `/h`. Empty if unset, since services do not report it. */
	readonly currency: string;
	/** Daily estimate from which screens and commands warn. Null for no limit. */
	readonly dailyLimit: number | null;
	readonly colour: ProfileColour | null;
	/** Models to offer. Empty for the default models. */
	readonly models: readonly ModelName[];
};

export const LOCAL_PROFILE: ProfileInfo = {
	serviceName: LOCAL,
	isLocal: true,
	readOnly: false,
	live: true,
	currency: '',
	dailyLimit: null,
	colour: null,
	models: [],
};
