import * as z from 'zod';
import {jsonIn} from '../../text/record.ts';
import type {Found, Verdict} from './found.ts';
import {oneLine} from './plain.ts';

const about = z.object({
	name: z.string().min(1).max(200),
	environment: z.string().max(300),
	server_request: z.string().max(300),
	// The fields with a default are missing in files of earlier versions.
	port: z.int().min(1).max(65_535).default(8888),
	host: z.string().max(100).nullable().default(null),
	machine: z.string().max(300).nullable().default(null),
});
/** Description of a server, written by the machine that started it for other machines to read. */
export type About = z.infer<typeof about>;

const settings = z.object({token: z.string().regex(/^[0-9a-f]{48}$/), base_url: z.string()});

const ID = /^[0-9a-f]{16}$/;

/** Server folder found on a host. All texts are sanitised. */
export type LeftServer = {
	readonly id: string;
	readonly name: string;
	readonly verdict: Verdict;
	/** Time of the server's last start in ms since the epoch. Null if unknown. */
	readonly since: number | null;
	readonly job: string | null;
	readonly root: string | null;
	/** Name of the machine that started the server. Null if unknown. */
	readonly from: string | null;
	readonly isForeign: boolean;
	/**
	 * Data for taking the server over. Null if another version of the program wrote the folder in
	 * an unknown format.
	 */
	readonly access: {readonly about: About; readonly token: string; readonly order: string} | null;
};

const orNull = (text: string): string | null => (text === '' ? null : text);

const accessOf = ({id, values}: Found): LeftServer['access'] => {
	const known = about.safeParse(jsonIn(values.get('about') ?? ''));
	const kept = settings.safeParse(jsonIn(values.get('settings') ?? ''));
	const order = values.get('order') ?? '';
	const isOurs = ID.test(id) && ID.test(order);
	if (!isOurs || !known.success || !kept.success || kept.data.base_url !== `/svc-tui/${id}/`) return null;
	return {about: known.data, token: kept.data.token, order};
};

export const readLeft = (found: Found, verdict: Verdict): LeftServer => {
	const {id, values} = found;
	const text = (key: string): string => oneLine(values.get(key) ?? '');
	const access = accessOf(found);
	const [seconds] = /^\d{1,11}$/.exec(text('since')) ?? [];
	const job = [text('number'), text('job')].find(each => /^\d{1,12}$/.test(each));
	return {
		id: oneLine(id, 60),
		name: access === null ? '' : oneLine(access.about.name, 60),
		verdict,
		since: seconds === undefined ? null : Number(seconds) * 1000,
		job: job ?? null,
		root: orNull(text('root')),
		from: access === null ? null : orNull(oneLine(access.about.machine ?? '', 60)),
		isForeign: values.get('foreign') === 'yes',
		access,
	};
};
