import {
	FACETS,
	isActive,
	NO_FILTER,
	type ComputeFilter,
	type Facet,
	type FilterResult,
} from '../../query/filter.ts';
import {printQuery} from '../../query/language.ts';
import {moneyText} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut} from '../../text/width/width.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';

export const facetText = (filter: ComputeFilter, facet: Facet): string => {
	const {gpu = '', minGpus, minVram, maxPrice, regions, host = '', words} = filter;
	switch (facet) {
		case 'gpu':
			return `GPU ${label(gpu, 30)}`;
		case 'minGpus':
			return `n ${glyph.atLeast} ${minGpus}`;
		case 'minVram':
			return `VRAM ${glyph.atLeast} ${minVram} G`;
		case 'maxPrice':
			return `price ${maxPrice?.inclusive ? glyph.atMost : '<'} ${moneyText(String(maxPrice?.amount))}/h`;
		case 'regions':
			return `${regions.length === 1 ? 'region' : 'regions'} ${regions.map(region => label(region, 24) || '""').join(', ')}`;
		case 'host':
			return `host ${label(host, 24)}`;
		case 'available':
			return 'available only';
		case 'cpuOnly':
			return 'no GPU';
		case 'words':
			return `text ${words.map(word => label(word, 24)).join(' ')}`;
	}
};

const GAP = '   ';

/** A part of the filter as it is typed in a query. */
const queryOf = (filter: ComputeFilter, facet: Facet): string =>
	printQuery({...NO_FILTER, [facet]: filter[facet]});

/**
 * Filter as a query on one line, with the number of options that each part hides. `hints`: key
 * hints at the right end, as many as fit.
 */
export const chipLine = (
	filter: ComputeFilter,
	{without, unknown}: Pick<FilterResult<unknown>, 'without' | 'unknown'>,
	hints: readonly string[],
	width: number,
): string => {
	const chips = FACETS.filter(facet => isActive(filter, facet)).map(facet => {
		const unclear = unknown[facet] ?? 0;
		const gain = Math.max(without[facet] ?? 0, unclear);
		const hides = gain > 0 ? ` −${gain}${unclear > 0 ? `, ${unclear} unknown` : ''}` : '';
		return label(queryOf(filter, facet), 60) + paint('dim', hides);
	});
	const left = cut(` ${chips.length === 0 ? paint('dim', 'no filter') : chips.join(GAP)}`, width - 1);
	const shown = [...hints];
	while (shown.length > 0 && cellWidth(left) + cellWidth(shown.join('  ')) + GAP.length >= width) shown.pop();
	const right = shown.join('  ');
	return left + ' '.repeat(Math.max(0, width - 1 - cellWidth(left) - cellWidth(right))) + right;
};

/** Hint for a filter without matches: the parts whose removal would make options match. */
export const noMatchHint = (
	filter: ComputeFilter,
	{without, unknown}: Pick<FilterResult<unknown>, 'without' | 'unknown'>,
): string => {
	const helping = FACETS.filter(facet => (without[facet] ?? 0) > 0).map(
		facet =>
			`${without[facet]} without ${facetText(filter, facet)}${unknown[facet] ? ` (unknown for ${unknown[facet]})` : ''}`,
	);
	return helping.length > 0 ? `${helping.join(', ')}.` : 'Dropping a single part does not help.';
};
