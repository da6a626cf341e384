import type {ComputeOption} from '../contract/compute.ts';
import {
	FACETS,
	filterCompute,
	isActive,
	NO_FILTER,
	withoutFacet,
	type ComputeFilter,
} from '../query/filter.ts';
import {printQuery} from '../query/language.ts';
import {nearestAvailable} from '../query/nearest.ts';
import {computeIdOf} from '../query/option.ts';
import {sortCompute} from '../query/sort.ts';
import {perHour} from '../text/money.ts';
import {label} from '../text/safe.ts';
import {CommandError} from './command-error.ts';

const cheapest = (options: readonly ComputeOption[], filter: ComputeFilter): ComputeOption | undefined =>
	sortCompute(filterCompute(options, filter), 'price')[0];

export const offerText = (option: ComputeOption): string =>
	`${label(computeIdOf(option).id, 60)}, ${perHour(option.hourly_price)}`;

/**
 * Nearest available alternative: a similar option, or the cheapest match if one part of the query
 * is dropped.
 */
const nearestText = (
	options: readonly ComputeOption[],
	filter: ComputeFilter,
	wanted: ComputeOption | undefined,
): string | undefined => {
	const like = wanted && nearestAvailable(wanted, options);
	if (like) return `The nearest available option is ${offerText(like)}.`;
	const [best] = FACETS.filter(facet => facet !== 'available' && isActive(filter, facet))
		.flatMap(facet => {
			const option = cheapest(options, withoutFacet(filter, facet));
			return option ? [{option, part: printQuery({...NO_FILTER, [facet]: filter[facet]})}] : [];
		})
		.sort((a, b) => a.option.hourly_price - b.option.hourly_price);
	return best && `Without ${label(best.part, 80)} the cheapest is ${offerText(best.option)}.`;
};

/**
 * Cheapest matching option. Of several with the same price, the first.
 * @throws {CommandError} `not-found`, with the nearest available option, if none matches.
 */
export const cheapestOffer = (options: readonly ComputeOption[], filter: ComputeFilter): ComputeOption => {
	const found = cheapest(options, filter);
	if (found) return found;
	const asked = withoutFacet(filter, 'available');
	const query = label(printQuery(asked), 200);
	const wanted = cheapest(options, asked);
	const nearest = nearestText(options, filter, wanted);
	throw new CommandError(
		'not-found',
		`${wanted ? `No match for ${query} is available now` : `Nothing matches ${query}`}. ${nearest ?? 'Nothing similar is available.'}`,
		wanted
			? 'svc-tui compute watch --query waits until a match is available; or change compute: in the recipe.'
			: 'Change compute: in the recipe, or --max-price.',
	);
};
