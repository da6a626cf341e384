import {isCharged} from '../../text/charged.ts';
import {perHour, sumPerHour} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {CommandError, valueOf} from '../command-error.ts';
import {offersNow, ratesOf} from '../costs/rates.ts';
import type {Call} from './tool.ts';

/** Order of a server that may cost money. `act`: command with which the user can do the same. */
export type Order = {
	readonly verb: 'Create' | 'Start';
	readonly server: string;
	readonly compute: string;
	readonly act: string;
};

const SENT = 'Nothing was sent.';

/**
 * Reason why a server must not be ordered, known before the user is asked. Null if it is free, or
 * if the user may be asked. `price`: per hour, null if unknown.
 */
export const rentRefusal = (
	{server, compute, act}: Order,
	price: number | null,
	{allowed, maxPrice}: Pick<Call, 'allowed' | 'maxPrice'>,
): CommandError | null => {
	const refuse = (why: string, next: string): CommandError =>
		new CommandError('price', `${why} ${SENT}`, next);
	const on = label(compute, 60);
	if (price === 0) return null;
	if (price === null || Number.isNaN(price))
		return refuse(
			`The price of ${on} is unknown, so ${label(server, 60)} was not started.`,
			`list_compute lists the options with prices. The user can run: ${act}`,
		);
	const costs = `${on} costs ${perHour(price)}`;
	if (!allowed.has('spend'))
		return refuse(
			`${costs}, and spending is not allowed.`,
			'The user allows it by starting svc-tui mcp with --allow spend --max-price P.',
		);
	if (maxPrice === undefined)
		return refuse(
			`${costs}, and svc-tui mcp was started without --max-price.`,
			'The user can start it with --max-price P, the maximum price per hour of a server.',
		);
	if (price > maxPrice)
		return refuse(
			`${costs}, above the --max-price of ${perHour(maxPrice)}.`,
			'list_compute with max_price lists cheaper options.',
		);
	return null;
};

/** Sentence on the total price per hour of the running servers. */
const runningCost = async ({context, service}: Call): Promise<string> => {
	const {signal} = context;
	const [reply, offers] = await Promise.all([service.client.servers({signal}), offersNow(service, signal)]);
	const running = valueOf(reply).items.filter(({status}) => isCharged(status) !== false);
	const rates = running.map(ratesOf(context, running, offers));
	const known = rates.filter(rate => rate !== undefined);
	if (running.length === 0) return '';
	const sum = known.reduce((total, rate) => total + rate, 0);
	const together = sumPerHour({rate: sum, known: known.length, unknown: rates.length - known.length});
	return ` The running servers cost ${together}.`;
};

/**
 * Asks the user before a paid server is rented, and returns its price per hour. `quote` reads the
 * price, before and after the question.
 * @throws {CommandError} if the server may not be rented.
 */
export const confirmSpending = async (
	call: Call,
	order: Order,
	quote: () => Promise<number | null>,
): Promise<number | null> => {
	const price = await quote();
	const refused = rentRefusal(order, price, call);
	if (refused) throw refused;
	if (price === 0) return price;
	const {verb, server, compute, act} = order;
	const rate = perHour(price ?? undefined);
	const consent = await call.confirm({
		question: `${verb} the server ${label(server, 60)} on ${label(compute, 60)} for ${rate}? It costs that until it is stopped.${await runningCost(call)}`,
		yes: 'Yes, spend it',
	});
	if (consent === 'mute')
		throw new CommandError(
			'price',
			`${label(compute, 60)} costs ${rate}, and this client does not support elicitation, so the user cannot confirm it. ${SENT}`,
			`The user can run: ${act}`,
		);
	if (consent === 'no') throw new CommandError('price', `The user declined ${rate}. ${SENT}`, '');
	const now = await quote();
	if (now === price) return price;
	throw new CommandError(
		'price',
		`${label(compute, 60)} cost ${rate} when the user was asked, and now ${perHour(now ?? undefined)}. ${SENT}`,
		'Ask again.',
	);
};
