// What the first frame needs of the settings, without a schema: what is wrong with them is reported by settings.ts, a moment later.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {readJson} from './json-text.ts';
import {paths} from '../state/paths.ts';
import {
	COLOUR_ROLES,
	isHex,
	LOCAL,
	LOCAL_FACTS,
	PROFILE_COLOURS,
	THEMES,
	type OwnColours,
	type ProfileFacts,
	type Theme,
} from './profile.ts';
import type {ServiceOptions} from './target.ts';
import type {PictureSetting} from '../text/pixels/choose.ts';
import {fieldsOf} from '../text/record.ts';

export type Glance = {
	readonly facts: ProfileFacts;
	/** What drafts and the last place are kept under: the base URL, or `local`. */
	readonly service: string;
	/** An address was named and no profile. */
	readonly isByAddress: boolean;
	readonly theme: Theme;
	/** Null: as the terminal needs it. */
	readonly ascii: boolean | null;
	readonly colours: OwnColours;
	readonly mouse: boolean;
	readonly pictures: PictureSetting;
	readonly keys: Readonly<Record<string, unknown>>;
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

/** The base URL without what may differ for the same service. */
const serviceAddress = (baseUrl: string): string => {
	const {origin = '', pathname = ''} = URL.parse(baseUrl) ?? {};
	return origin + pathname.replace(/\/+$/, '');
};

const factsOf = (name: string, profile: Fields): ProfileFacts => ({
	...LOCAL_FACTS,
	serviceName: name,
	isLocal: name === LOCAL,
	readOnly: profile['readOnly'] === true,
	live: profile['live'] !== false,
	currency: /^\P{C}{1,8}$/u.exec(text(profile['currency']) ?? '')?.[0] ?? '',
	colour: PROFILE_COLOURS.find(each => each === profile['colour']) ?? null,
});

/** Never throws; what it cannot understand is as if it were not there. */
export const glance = ({baseUrl, profile}: ServiceOptions, env: NodeJS.ProcessEnv = process.env): Glance => {
	const settings = read();
	const colours = fieldsOf(settings['colours']);
	const look = {
		theme: THEMES.find(each => each === settings['theme']) ?? 'terminal',
		ascii: typeof settings['ascii'] === 'boolean' ? settings['ascii'] : null,
		colours: Object.fromEntries(
			COLOUR_ROLES.flatMap(role => (isHex(colours[role]) ? [[role, colours[role]]] : [])),
		),
		mouse: settings['mouse'] === true,
		pictures: settings['pictures'] === 'blocks' ? ('blocks' as const) : ('auto' as const),
		keys: fieldsOf(settings['keys']),
	};
	const address = text(baseUrl) ?? (profile === undefined ? text(env['SVC_BASE_URL']) : undefined);
	if (address !== undefined)
		return {
			...look,
			isByAddress: true,
			service: serviceAddress(address),
			facts: {...LOCAL_FACTS, serviceName: URL.parse(address)?.host ?? address, isLocal: false},
		};
	const name = profile ?? text(settings['profile']) ?? LOCAL;
	const profiles = fieldsOf(settings['profiles']);
	const found = fieldsOf(Object.hasOwn(profiles, name) ? profiles[name] : undefined);
	return {
		...look,
		isByAddress: false,
		service: name === LOCAL ? LOCAL : serviceAddress(text(found['baseUrl']) ?? ''),
		facts: factsOf(name, found),
	};
};
