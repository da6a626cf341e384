import {readStartupSettings, type StartupSettings} from '../../settings/startup-settings.ts';
import {readSettings} from '../../settings/settings.ts';
import {profileNamed} from '../../settings/target.ts';
import {
	dailyCosts,
	dayOf,
	hasUnknownRate,
	isUnknown,
	leftOut,
	midnight,
	totalCost,
	type DayCost,
	type ServerCost,
	type TotalCost,
} from '../../costs/daily-costs.ts';
import {openServiceStorage} from '../../storage/service-storage.ts';
import {costText} from '../../costs/today.ts';
import {RETENTION_DAYS, openObservations} from '../../costs/observations.ts';
import {paths} from '../../machine/paths.ts';
import {hoursText} from '../../text/clock.ts';
import {joinNames} from '../../text/join-names.ts';
import {estimateWords, ratesText, roundedPrice} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {CommandError, usageError} from '../command-error.ts';
import type {Context} from '../context.ts';
import {printJson, printNotice} from '../print.ts';
import {NONE, tableText, type Column} from '../table.ts';

const DEFAULT_DAYS = '7d';

/**
 * Local midnight at which the first day starts. @throws {CommandError} if the text is not valid.
 */
const sinceOf = (text: string, now: number): number => {
	const days = /^(\d{1,3})d$/.exec(text)?.[1];
	const [, year = '', month = '', date = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
	const day = new Date(Number(year), Number(month) - 1, Number(date)).getTime();
	const since =
		days === undefined
			? year !== '' && dayOf(day) === text
				? day
				: Number.NaN
			: midnight(now, Number(days) - 1);
	if (since <= now && since >= midnight(now, RETENTION_DAYS - 1)) return since;
	throw usageError(
		`--since ${JSON.stringify(text)} must be up to ${RETENTION_DAYS}d, or a date within the last ${RETENTION_DAYS} days, such as ${dayOf(midnight(now, 6))}.`,
		'svc-tui cost --help shows how.',
	);
};

type Row = ServerCost & {readonly day: string};

const spanText = (ms: number): string => (ms === 0 ? NONE : hoursText(ms));

const ASSUMED = 'ASSUMED';
const COLUMNS: readonly Column<Row>[] = [
	{head: 'DAY', value: ({day}) => day},
	{head: 'SERVER', value: ({server}) => label(server)},
	{head: 'READY', value: ({ready}) => spanText(ready), right: true},
	{head: ASSUMED, value: ({assumed}) => spanText(assumed), right: true, drop: 3},
	{head: 'UNSEEN', value: ({unseen}) => spanText(unseen), right: true, drop: 2},
	{head: 'RATE /H', value: each => ratesText(each.rates, hasUnknownRate(each)) || NONE, right: true, drop: 1},
	{head: 'EST.', value: costText, right: true},
];

/** Removes rounding errors of sums. Small amounts keep their digits. */
const rounded = (value: number): number => Number(value.toPrecision(9));
const hours = (ms: number): number => Number((ms / 3_600_000).toFixed(6));

const jsonOf = ({day, length, looked, servers}: DayCost): object => {
	const {estimate, unknown, unclear, atLeast} = totalCost(servers);
	return {
		day,
		hours: hours(length),
		looked_hours: hours(looked),
		estimate: rounded(estimate),
		at_least: atLeast,
		unknown_rates: unknown,
		unknown_states: unclear,
		servers: servers.map(each => ({
			server: each.server,
			ready_hours: hours(each.ready),
			assumed_hours: hours(each.assumed),
			unpriced_hours: hours(each.unpriced),
			unclear_hours: hours(each.unclear),
			unseen_hours: hours(each.unseen),
			rates: each.rates,
			estimate: rounded(each.estimate),
			at_least: totalCost([each]).atLeast,
		})),
	};
};

/** Total as text. An estimate is never called a bill. */
const sumText = (total: TotalCost): string =>
	`${estimateWords(total.estimate, total.atLeast)}${leftOut(total, ', without')}`;

/**
 * Settings of the service whose observations are read. @throws {SetupError} if there is no such
 * profile.
 */
const serviceOf = ({options, env}: Context): StartupSettings => {
	const seen = readStartupSettings(options, env);
	if (!seen.isByAddress) profileNamed(readSettings(), seen.facts.serviceName);
	return seen;
};

/** Runs `cost`, without any request to a service. */
export const printCosts = async (
	context: Context,
	{since = DEFAULT_DAYS, server}: {readonly since?: string; readonly server?: string},
): Promise<void> => {
	const now = Date.now();
	const from = sinceOf(since, now);
	const seen = serviceOf(context);
	const {isByAddress, facts} = seen;
	const looks = openObservations(
		openServiceStorage(paths().state, seen.service, seen),
		isByAddress ? '' : facts.serviceName,
	);
	const all = dailyCosts(looks.read(from), from, now);
	const names = new Set(all.flatMap(({servers}) => servers.map(each => each.server)));
	if (server !== undefined && !names.has(server))
		throw new CommandError(
			'not-found',
			`${label(server, 60)} was not observed ready since ${dayOf(from)}${names.size > 0 ? `; ${joinNames([...names])} ${names.size === 1 ? 'was' : 'were'}` : ''}.`,
			`${context.typed('cost', '--since', `${RETENTION_DAYS}d`)} shows everything recorded.`,
		);
	const days = all.map(day => ({
		...day,
		servers: day.servers.filter(each => server === undefined || each.server === server),
	}));
	if (context.json) return printJson(context, days.map(jsonOf));
	const rows = days.flatMap(({day, servers}) => servers.map(each => ({...each, day})));
	const [looked, length] = [
		all.reduce((sum, day) => sum + day.looked, 0),
		all.reduce((sum, day) => sum + day.length, 0),
	];
	if (rows.length === 0)
		return printNotice(
			context,
			`No running server observed since ${dayOf(from)}. Observations are recorded while svc-tui is open or lists servers.`,
		);
	const isAssumed = rows.some(({assumed}) => assumed > 0);
	const columns = COLUMNS.filter(({head}) => isAssumed || head !== ASSUMED);
	await context.stdout.write(tableText(columns, rows, context.stdout.columns));
	await printNotice(
		context,
		`Estimate, not a bill: ${sumText(totalCost(rows))} since ${dayOf(from)}, based on ${hoursText(looked)} observed${isAssumed ? ' and on the time between a start from here and the next observation' : ''}; ${hoursText(length - looked)} unknown.`,
	);
	if (rows.some(each => isUnknown(each) && !each.isUnclear))
		await printNotice(
			context,
			`${context.typed('servers')} reads the rates from the catalogue, and applies them to earlier observations as well.`,
		);
	const today = totalCost(all[0]?.servers ?? []).estimate;
	if (facts.dailyLimit !== null && today > facts.dailyLimit)
		await printNotice(
			context,
			`Today's estimate of ${roundedPrice(today)} is over the daily limit of ${roundedPrice(facts.dailyLimit)}.`,
		);
};
