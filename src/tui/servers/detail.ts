import {reasonText} from './state.ts';
import {DATA_ENVIRONMENT, PENDING, WELCOME} from '../../contract/names.ts';
import {isCharged} from '../../text/charged.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {limitsText, stopText, stopsSoon} from '../../query/limit-texts.ts';
import {offerOf} from '../../query/offers.ts';
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
import {cellWidth} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
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
	url: 'page',
	editor: 'editor',
	forward: 'forward',
};
/** Fields with labels of our own; all others are shown with the service's name and value. */
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

/** For example `14:03, 2 h 05 min`, without seconds. */
const timeText = (at: number, now: number): string =>
	`${new Date(at).toTimeString().slice(0, 5)}, ${hoursText(now - at)}`;

/** Name and value of a field. */
type Row = readonly [head: string, value: string];
const rowIf = (isThere: boolean, head: string, value: string): readonly Row[] =>
	isThere ? [[head, value]] : [];

const moneyRows = (server: ServerItem, known: Known, now: number): readonly Row[] => {
	const rate = rateOf(known, server);
	const rental = known.rentals.get(server.name);
	const {estimate, atLeast} = estimateOf(known, server, now);
	const answered = rental !== undefined && rental.rate !== null && rental.rate === rate;
	const source = answered ? 'as the service reports' : 'from the catalogue';
	const {status, value} = known.compute;
	const why =
		value !== undefined
			? 'the catalogue does not say'
			: status === 'failed'
				? 'the catalogue did not load; retrying'
				: 'the catalogue has not arrived yet';
	const isPaid = isCharged(server.status);
	const price =
		rate === undefined
			? `? ${why}`
			: rateNow(known, server) !== undefined
				? `${perHourAndDay(rate)}, ${source}`
				: isPaid === false
					? `${perHourAndDay(rate)} when it runs, ${source}`
					: `${UNKNOWN} the service does not say what it costs in this state; ${perHourAndDay(rate)} when ready, ${source}`;
	const other =
		answered && rental.quoted !== null && rental.quoted !== rental.rate
			? paint('bad', `   ${perHour(rental.quoted)} was confirmed`)
			: '';
	return [
		['rate', price + other],
		...rowIf(estimate !== undefined, 'today', `est. ${moneyText(estimateText(estimate ?? 0, atLeast))}`),
		...rowIf(estimate === undefined && isPaid !== false, 'today', UNKNOWN),
		...(rental === undefined || rental.ranBefore ? [] : [['since', timeText(rental.since, now)] as const]),
	];
};

const addressText = (server: ServerItem, name: AddressName): string => {
	const address = addressOf(server, name);
	if (address === null || address === '') return glyph.none;
	return address === PENDING ? 'pending' : label(maskToken(address, server.token), LONGEST);
};

const tokenText = (server: ServerItem): string => {
	if (tokenAddress(server, 'url') !== null)
		return `set; ${keyFor('servers.copyWithToken')} copies the address with it`;
	return server.token
		? `set, but not usable for the page: ${addressError(addressOf(server, 'url'))}`
		: 'none';
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
const nextStep = ({name, environment}: ServerItem, {isLocal, environments}: Known): string | null =>
	isLocal &&
	name === WELCOME &&
	environment !== DATA_ENVIRONMENT.id &&
	environments.value?.items.some(
		each => each.environment_id === DATA_ENVIRONMENT.id && each.name === DATA_ENVIRONMENT.name,
	) === true
		? `${keyFor('global.environments')} lists the environment ${DATA_ENVIRONMENT.name}, which has NumPy, pandas and Matplotlib`
		: null;

/** Rows of a value. A text without spaces starts beside its label, however long it is. */
const broken = (head: string, text: string, width: number): readonly string[] =>
	wrap(text, Math.max(8, width - HEAD)).map(
		(row, at) => `${paint('dim', (at === 0 ? head : '').padEnd(HEAD))}${row}`,
	);

/**
 * All fields of a server that have a value, with the token masked, and what else is known about the
 * server. Rows of at most `width` cells.
 */
export const detailLines = (
	server: ServerItem,
	known: Known,
	now: number,
	width: number,
): readonly string[] => {
	const offer = offerOf(server.server_request, known.compute.value?.items);
	const environment = known.environments.value?.items.find(
		each => each.environment_id === server.environment,
	);
	const wait = known.awaited.get(server.name);
	const reason = reasonText(server);
	const next = nextStep(server, known);
	const [limits, due] = [limitsText(server), stopText(server, now)];
	const rows: readonly Row[] = [
		['state', stateText(server.status, LONGEST)],
		...rowIf(reason !== null, '', reason ?? ''),
		...jobTexts(known.jobs.get(server.name)).map((text, at) => [at === 0 ? 'jobs' : '', text] as const),
		...(wait ? [['waiting', statesSeen(wait)] as const] : []),
		[
			'environment',
			`${label(knownText(server.environment))}${environment && environment.name !== server.environment ? paint('dim', `  ${label(environment.name, 80)}`) : ''}`,
		],
		...rowIf(next !== null, 'next', next ?? ''),
		[
			'compute',
			`${label(knownText(server.server_request))}${offer ? paint('dim', `  ${label(offer.name, 80)}, ${numberText(offer.cpus)} ${offer.cpus === 1 ? 'CPU' : 'CPUs'}, ${label(knownText(offer.memory), 12)}`) : ''}`,
		],
		...moneyRows(server, known, now),
		...rowIf(limits !== null, 'limits', limits ?? ''),
		...rowIf(
			due !== null,
			limits === null ? 'limits' : '',
			stopsSoon(server) ? paint('bad', due ?? '') : (due ?? ''),
		),
		['port', numberText(server.port)],
		...ADDRESSES.map(name => [ADDRESS_NAMES[name], addressText(server, name)] as const),
		['token', tokenText(server)],
		...rowIf(
			typeof server['certificate_authority'] === 'string',
			'trusted',
			'an extra CA certificate of its own',
		),
		...otherRows(server),
	];
	return [
		...rows.flatMap(([head, value]) =>
			cellWidth(value) > width - HEAD && !value.includes(' ')
				? broken(head, value, width)
				: wrap(`${paint('dim', head.padEnd(HEAD))}${value}`, width, {
						hang: Math.min(HEAD, Math.floor(width / 2)),
					}),
		),
	];
};
