import {FACETS, isActive, type ComputeFilter, type Facet, type FilterResult} from '../../query/filter.ts';
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

/** Label of a part of the filter that is not in use. */
const OFFERED: Partial<Readonly<Record<Facet, string>>> = {
	gpu: 'GPU',
	minGpus: 'count',
	minVram: 'VRAM',
	maxPrice: 'price',
	regions: 'region',
	host: 'host',
	available: 'available',
};

const GAP = '   ';

/**
 * Filter on one line: each part with its key. A part in use shows its value, and how many more
 * options would match without it. If the line is too long, unused parts are dropped from the end.
 */
export const chipLine = (
	filter: ComputeFilter,
	{without, unknown}: Pick<FilterResult<unknown>, 'without' | 'unknown'>,
	keyOf: (facet: Facet) => string,
	width: number,
): string => {
	const chips = FACETS.flatMap(facet => {
		const key = keyOf(facet);
		if (isActive(filter, facet)) {
			const unclear = unknown[facet] ?? 0;
			const gain = Math.max(without[facet] ?? 0, unclear);
			return [
				{
					active: true,
					text: `${key === '' ? '' : `${paint('accent', key)} `}${paint('own', facetText(filter, facet))}${gain > 0 ? paint('dim', ` (−${gain}${unclear > 0 ? `, ${unclear} unknown` : ''})`) : ''}`,
				},
			];
		}
		const offered = facet === 'gpu' && filter.cpuOnly ? undefined : OFFERED[facet];
		return offered === undefined
			? []
			: [{active: false, text: `${paint('accent', key)} ${paint('dim', offered)}`}];
	});
	for (;;) {
		const line = ` ${chips.map(({text}) => text).join(GAP)}`;
		const last = chips.findLastIndex(({active}) => !active);
		if (cellWidth(line) < width || last < 0) return cut(line, width - 1);
		chips.splice(last, 1);
	}
};

/** Parts of the filter without which options would match. */
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
