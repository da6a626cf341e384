import {estimateText} from '../text/money.ts';
import {UNKNOWN} from '../text/known.ts';
import {dailyCosts, isUnknown, midnight, totalCost, type ServerCost} from './daily-costs.ts';
import type {Observation} from './observation-spans.ts';

/** Costs of servers since local midnight, by name: today's figures on every screen and command. */
export const todayCosts = (looks: readonly Observation[], now: number): ReadonlyMap<string, ServerCost> =>
	new Map((dailyCosts(looks, midnight(now), now)[0]?.servers ?? []).map(each => [each.server, each]));

/** Estimate as a column shows it: `?` if it is unknown, `≥1.05` if more may be due. */
export const costText = (cost: ServerCost): string =>
	isUnknown(cost) ? UNKNOWN : estimateText(cost.estimate, totalCost([cost]).atLeast);
