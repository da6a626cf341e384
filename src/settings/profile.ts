// What a profile is, without the schema: the first frame needs it.
import type {ModelName} from '../contract/model-names.ts';

export const THEMES = ['terminal', 'dark', 'light', 'high-contrast'] as const;
/** `terminal`: the 16 colours as the terminal has them. */
export type Theme = (typeof THEMES)[number];

/** Roles of the themes that may have a colour of one's own. */
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
/** Of one's own, in place of the theme's. */
export type CustomColours = Readonly<Partial<Record<(typeof COLOUR_ROLES)[number], Hex>>>;
export const isHex = (value: unknown): value is Hex =>
	typeof value === 'string' && /^#[\da-f]{6}$/i.test(value);

export const PROFILE_COLOURS = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta'] as const;
export type ProfileColour = (typeof PROFILE_COLOURS)[number];

/** The profile of the service on this machine; it is there without settings. */
export const LOCAL = 'local';

/** What the program shows and allows of the service that it talks to. */
export type ProfileInfo = {
	/** Name of the profile, or the host of a service that has none. */
	readonly serviceName: string;
	readonly isLocal: boolean;
	/** Nothing is changed and nothing spent. */
	readonly readOnly: boolean;
	/** Servers may be spoken with at their own addresses. */
	readonly live: boolean;
	/** Stands before `/h`; empty for none, since the interface does not state the unit. */
	readonly currency: string;
	/** What the estimate of a day may come to before the screens and commands warn; null for none. */
	readonly dailyLimit: number | null;
	readonly colour: ProfileColour | null;
	/** Empty: those of the interface. */
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
