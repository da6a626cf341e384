import {reasonText} from './state.ts';
import {DATA_ENVIRONMENT, PENDING, WELCOME} from '../../contract/names.ts';
import {isCharged} from '../../text/charged.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {limitsText, stopText, stopsSoon} from '../../query/limit-texts.ts';
import {offerOf} from '../../query/offers.ts';
import {hardwareText} from '../../query/option.ts';
import {
	ADDRESSES,
	addressOf,
	tokenAddress,
	addressError,
	type AddressName,
} from '../../query/server-addresses.ts';
import {rateNow, rateOf, estimateOf} from './costs/rentals.ts';
import type {State} from '../core/program.ts';
import {hoursText} from '../../text/clock.ts';
import {estimateText, moneyText, perHour, perHourAndDay} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {maskToken} from '../../text/token.ts';
import {cellWidth, cut} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {isUp} from '../../text/server-states.ts';
import {durationText} from '../core/components/age.ts';
import {upTime} from './columns.ts';
import {stateText} from './state.ts';
import {statesSeen} from './wait-lines.ts';
import {knownText, numberText, UNKNOWN} from '../../text/known.ts';
import type {JobOnDisk} from '../../api/jobs/read-jobs.ts';
import {explainFailure, type Remote} from '../core/store/remote.ts';

/** Maximum number of jobs with a row of their own. */
const MOST = 5;

/** A server's jobs, one text per row; none before the user has asked for them. */
export const jobTexts = (jobs: Remote<readonly JobOnDisk[]> | undefined): readonly string[] => {
	if (jobs === undefined || jobs.status === 'idle') return [];
	const {value, failure} = jobs;
	const failed =
		jobs.status === 'failed' && failure
			? [paint('bad', `? ${label(explainFailure(failure).what, 300)}`)]
			: [];
	if (value === undefined) return failed.length > 0 ? failed : ['being read'];
	if (value.length === 0) return [...failed, 'none'];
	const running = value.filter(({isRunning}) => isRunning).length;
	const rows = value
		.slice(0, MOST)
		.map(({name, words, hasFailed}) => `${label(name, 64)}  ${hasFailed ? paint('bad', words) : words}`);
	return [
		...failed,
		`${running} running, ${value.length - running} ended, as their files report`,
		...rows,
		...(value.length > MOST ? [`and ${value.length - MOST} more`] : []),
	];
};

/** Width of the labels before the values, in cells. */
const HEAD = 13;
const LONGEST = 600;
export const ADDRESS_NAMES: Readonly<Record<AddressName, string>> = {
	url: 'Page',
	editor: 'Editor',
	forward: 'Forward',
};
/** Fields with labels of our own. All other fields are shown with the service's name and value. */
const WORDED: ReadonlySet<string> = new Set([
	'name',
	'status',
	'status_reason',
	'environment',
	'server_request',
	'port',
	'url',
	'assistant_editor_url',
	'port_forward_url',
	'token',
	'certificate_authority',
	'idle_stop',
	'max_run',
	'stops_at',
	'stop_cause',
	'stops_soon',
	'since',
	'host',
	'last_seen',
	'thumb',
]);

/** Fields of the state that the details of a server show. */
export const DETAIL_FIELDS = [
	'rentals',
	'spent',
	'compute',
	'environments',
	'awaited',
	'jobs',
	'isLocal',
] as const satisfies readonly (keyof State)[];
type Known = Pick<State, (typeof DETAIL_FIELDS)[number]>;

/** Name and value of a field. A row without a name continues the row above. */
type Row = readonly [head: string, value: string];
const rowIf = (isThere: boolean, head: string, value: string): readonly Row[] =>
	isThere ? [[head, value]] : [];

/** Rate per hour and per day. `isBrief`: true to omit the source of the rate. */
const rateText = (server: ServerItem, known: Known, isBrief: boolean): string => {
	const rate = rateOf(known, server);
	const {status, value} = known.compute;
	if (rate === undefined)
		return `${UNKNOWN} ${
			value !== undefined
				? 'the catalogue does not say'
				: status === 'failed'
					? `the catalogue did not load${known.compute.again === undefined ? '' : '; retrying'}`
					: 'the catalogue has not arrived yet'
		}`;
	const rental = known.rentals.get(server.name);
	const isReported = rental !== undefined && rental.rate !== null && rental.rate === rate;
	const source = isBrief ? '' : isReported ? ', as the service reports' : ', from the catalogue';
	const price = perHourAndDay(rate);
	const other =
		isReported && rental.quoted !== null && rental.quoted !== rental.rate
			? paint('bad', `   ${perHour(rental.quoted)} was confirmed`)
			: '';
	if (rateNow(known, server) !== undefined) return `${price}${source}${other}`;
	return isCharged(server.status) === false
		? `${price} ${paint('dim', 'when it runs')}${source}${other}`
		: `${UNKNOWN} the service does not say what it costs in this state; ${price} when ready${source}${other}`;
};

const moneyRows = (server: ServerItem, known: Known, now: number, isBrief: boolean): readonly Row[] => {
	const {estimate, atLeast} = estimateOf(known, server, now);
	return [
		['Rate', rateText(server, known, isBrief)],
		...rowIf(estimate !== undefined, 'Today', `est. ${moneyText(estimateText(estimate ?? 0, atLeast))}`),
		...rowIf(estimate === undefined && isCharged(server.status) !== false, 'Today', UNKNOWN),
	];
};

/** Address shortened to its last parts, if it is wider than `cells`. */
const shortAddress = (address: string, cells: number): string => {
	const place = address.replace(/^\w+:\/\//, '').replace(/\/?(?:\?.*)?$/, '');
	const whole = [address, place].find(each => cellWidth(each) <= cells);
	if (whole !== undefined) return whole;
	const parts = place.split('/');
	const tails = parts.map((_, at) => `…/${parts.slice(at).join('/')}`).slice(1);
	return tails.find(tail => cellWidth(tail) <= cells) ?? cut(tails.at(-1) ?? place, cells);
};

const addressText = (server: ServerItem, name: AddressName, cells: number): string => {
	const address = addressOf(server, name);
	if (address === null || address === '') return glyph.none;
	return address === PENDING
		? 'pending'
		: shortAddress(label(maskToken(address, server.token), LONGEST), cells);
};

/** Addresses and token. `room`: cells of a value in brief details, which shorten addresses. */
const addressRows = (server: ServerItem, room: number | null): readonly Row[] => {
	const all = keyFor('servers.addresses');
	const copies = keyFor('servers.copyWithToken');
	const token =
		tokenAddress(server, 'url') !== null
			? room === null
				? `set; ${copies} copies the address with it`
				: `set  ${paint('accent', copies)} ${paint('dim', 'copies with it')}`
			: server.token
				? `set, but not usable for the page: ${addressError(addressOf(server, 'url'))}`
				: 'none';
	return [
		...ADDRESSES.map(name => {
			const isFirst = room !== null && name === 'url';
			const text = addressText(server, name, (room ?? Infinity) - (isFirst ? cellWidth(all) + 2 : 0));
			return [ADDRESS_NAMES[name], isFirst ? `${text}  ${paint('accent', all)}` : text] as const;
		}),
		['Token', token],
		...rowIf(
			typeof server['certificate_authority'] === 'string',
			'Trusted',
			'an extra CA certificate of its own',
		),
	];
};

const otherRows = (server: ServerItem): readonly Row[] =>
	Object.entries(server)
		.filter(([field, value]) => !WORDED.has(field) && value !== undefined && value !== null)
		.map(
			([field, value]) =>
				[
					label(field, HEAD - 2),
					label(maskToken(typeof value === 'string' ? value : JSON.stringify(value), server.token), LONGEST),
				] as const,
		);

/** Hint to newcomers on the embedded engine's environment with data packages. */
const dataHint = ({name, environment}: ServerItem, {isLocal, environments}: Known): string | null =>
	isLocal &&
	name === WELCOME &&
	environment !== DATA_ENVIRONMENT.id &&
	environments.value?.items.some(
		each => each.environment_id === DATA_ENVIRONMENT.id && each.name === DATA_ENVIRONMENT.name,
	) === true
		? `${keyFor('global.environments')} lists the environment ${DATA_ENVIRONMENT.name}, which has NumPy, pandas and Matplotlib`
		: null;

/** Hardware in words, then host and size. If the catalogue lacks the option, the id instead. */
const computeRows = (server: ServerItem, known: Known, isBrief: boolean): readonly Row[] => {
	const offer = offerOf(server.server_request, known.compute.value?.items);
	const id = label(knownText(server.server_request));
	const machine = server['host'];
	if (offer === undefined)
		return [
			['Compute', id],
			...rowIf(typeof machine === 'string', '', label(typeof machine === 'string' ? machine : '', 40)),
		];
	const {cloud_host: host, cpus, memory} = offer;
	const hardware = label(hardwareText(offer, ' × '), 80);
	return [
		['Compute', hardware],
		...rowIf(!isBrief, '', id),
		[
			'',
			paint('dim', `${label(knownText(host), 30)}, ${numberText(cpus)} CPU, ${label(knownText(memory), 12)}`),
		],
	];
};

const environmentText = (server: ServerItem, known: Known, isBrief: boolean): string => {
	const id = label(knownText(server.environment));
	const found = known.environments.value?.items.find(each => each.environment_id === server.environment);
	const name = found === undefined || found.name === server.environment ? '' : label(found.name, 80);
	return name === '' ? id : isBrief ? name : `${id}${paint('dim', `  ${name}`)}`;
};

/** State, its duration, and its reason. */
const stateRows = (server: ServerItem, known: Known, now: number): readonly string[] => {
	const time = upTime(known, server, now);
	const up =
		time === null
			? ''
			: isUp(server.status)
				? `   ${time.atLeast ? glyph.atLeast : ''}${hoursText(time.ms)}`
				: `   ${durationText(time.ms)}`;
	const reason = reasonText(server);
	return [`${stateText(server.status, LONGEST)}${up}`, ...(reason === null ? [] : [reason])];
};

/** Groups of fields. `room`: cells of a value in brief details, else null. */
const groupsOf = (
	server: ServerItem,
	known: Known,
	now: number,
	room: number | null,
): readonly (readonly Row[])[] => {
	const wait = known.awaited.get(server.name);
	const hint = dataHint(server, known);
	const [limits, due] = [limitsText(server), stopText(server, now)];
	return [
		[
			...moneyRows(server, known, now, room !== null),
			...rowIf(limits !== null, 'Limits', limits ?? ''),
			...rowIf(
				due !== null,
				limits === null ? 'Limits' : '',
				stopsSoon(server) ? paint('bad', due ?? '') : (due ?? ''),
			),
		],
		[
			...(wait ? [['Waiting', statesSeen(wait)] as const] : []),
			...jobTexts(known.jobs.get(server.name)).map((text, at) => [at === 0 ? 'Jobs' : '', text] as const),
		],
		[
			...computeRows(server, known, room !== null),
			['Environment', environmentText(server, known, room !== null)],
			...rowIf(hint !== null, 'Next', hint ?? ''),
			['Port', numberText(server.port)],
		],
		addressRows(server, room),
		otherRows(server),
	];
};

/** Rows of a field. Text without spaces starts beside its label, even if it needs more rows. */
const fieldRows = ([head, value]: Row, width: number): readonly string[] => {
	const rows = wrap(value, Math.max(8, width - HEAD));
	return rows.map((row, at) => `${paint('dim', (at === 0 ? head : '').padEnd(HEAD))}${row}`);
};

/**
 * All fields of a server that have a value, with the token masked, and what this program has
 * recorded about the server. Rows of at most `width` cells. `isBrief`: true for details beside the
 * list, which have short addresses and no sources.
 */
export const detailLines = (
	server: ServerItem,
	known: Known,
	now: number,
	width: number,
	isBrief = false,
): readonly string[] => [
	...stateRows(server, known, now).flatMap(row => wrap(row, width)),
	...groupsOf(server, known, now, isBrief ? width - HEAD : null)
		.filter(rows => rows.length > 0)
		.flatMap(rows => ['', ...rows.flatMap(row => fieldRows(row, width))]),
];

/** Row about the highlighted server, where there are no details beside the list. */
export const detailLine = (server: ServerItem, known: Known): string => {
	const offer = offerOf(server.server_request, known.compute.value?.items);
	return [
		paint('own', label(server.name, 30)),
		...(offer === undefined
			? [label(knownText(server.server_request), 30)]
			: [
					label(knownText(offer.cloud_host), 20),
					`${numberText(offer.cpus)} CPU`,
					label(knownText(offer.memory), 12),
				]),
		environmentText(server, known, true),
	].join(paint('dim', ' · '));
};
