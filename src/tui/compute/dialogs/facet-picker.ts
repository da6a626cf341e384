import type {ComputeOption} from '../../../contract/compute.ts';
import {
	choicesOf,
	areaChoicesOf,
	withNone,
	type Choice,
	type ListedFacet,
	type AreaChoice,
} from '../../../query/choices.ts';
import {isActive} from '../../../query/filter.ts';
import {isTypedFor, geoAreasOf} from '../../../query/geo-areas.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {label} from '../../../text/safe.ts';
import {chooser} from '../../core/dialogs/chooser.tsx';
import type {State} from '../../core/program.ts';
import {emptyPicker} from '../../core/components/remote-line.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {CASE_MATTERS} from '../region-grid.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {catalogue} from '../catalogue.ts';

const WIDTH = 56;
const TITLES: Readonly<Record<ListedFacet, string>> = {
	gpu: 'GPU models',
	minGpus: 'Minimum GPUs',
	minVram: 'Minimum VRAM per GPU',
	maxPrice: 'Maximum price',
	regions: 'Regions',
	host: 'Hosts',
};

/** Label of the choice that clears this part of the filter. */
const ALL: Readonly<Record<ListedFacet, string>> = {
	gpu: 'All models',
	minGpus: 'Any number',
	minVram: 'Any VRAM',
	maxPrice: 'Any price',
	regions: 'All regions',
	host: 'All hosts',
};

const choicesOnce = lastResult(choicesOf);
const placesOnce = lastResult(areaChoicesOf);
const NOTHING: readonly ComputeOption[] = [];
const choicesIn = ({compute, computeFilter}: State, facet: ListedFacet): readonly Choice[] =>
	choicesOnce(compute.value?.items ?? NOTHING, computeFilter, facet);

const placesIn = ({compute, computeFilter}: State): readonly AreaChoice[] =>
	placesOnce(compute.value?.items ?? NOTHING, computeFilter);

/** Number of choices for the title. Not counted: "No GPU" and the steps of a number. */
const countOf = (facet: ListedFacet, choices: readonly Choice[]): string => {
	if (choices.length === 0) return '';
	if (facet === 'gpu') return ` ${Math.max(0, choices.length - 1)}`;
	return facet === 'regions' || facet === 'host' ? ` ${choices.length}` : '';
};

const marked = (isChosen: boolean, text: string): string =>
	`${isChosen ? glyph.chosen : glyph.notChosen} ${text}`;

/**
 * Picker for one part of the filter: several regions, or one value of another part. The count
 * beside a choice is that of the options that match all other parts of the filter.
 */
export const facetPicker = chooser({kind: 'facet'}, ({get}, dialog) => {
	const {facet} = dialog;
	const choices = choicesIn(get(), facet);
	const hasMarked = facet === 'regions' && dialog.hasMarked === true && choices.some(({chosen}) => chosen);
	const idOf = ({name}: Choice): string => `of ${name}`;
	// The cursor starts at the current choice.
	const first = (facet === 'regions' ? undefined : choices.find(({chosen}) => chosen)) ?? choices[0];
	const all = {
		text: marked(!isActive(get().computeFilter, facet) && !choices.some(({chosen}) => chosen), ALL[facet]),
		id: 'all',
		choose: () => catalogue(get).setComputeFilter(withNone(get().computeFilter, facet)),
	};
	return {
		title: `${TITLES[facet]}${countOf(facet, choices)}`,
		width: WIDTH,
		cutsRows: true,
		empty: emptyPicker(get().compute, 'No matches in the catalogue.'),
		enterLabel: hasMarked ? 'done' : 'apply',
		markLabel: facet === 'regions' ? 'select several' : 'select and stay',
		startsAt: first && idOf(first),
		choicesFor(typed) {
			const rowOf = (each: Choice, text: string, id = idOf(each)) => ({
				text: marked(each.chosen, text),
				id,
				note: String(each.count),
				isQuiet: each.count === 0 && !each.chosen,
				mark() {
					catalogue(get).setComputeFilter(each.toggled);
					const open = topDialog(get(), 'facet');
					if (open) route(get).changeDialog({...open, hasMarked: true});
				},
				// If the user has marked choices, Enter only closes the dialog.
				choose: () => (each.chosen || hasMarked ? undefined : catalogue(get).setComputeFilter(each.toggled)),
			});
			const nameOf = ({name, isCaseVariant}: Choice): string =>
				`${label(name, 60) || '""'}${isCaseVariant ? CASE_MATTERS : ''}`;
			const found = fuzzyFilter(typed, choices, ({name}) => name);
			const places =
				facet === 'regions'
					? placesIn(get()).filter(({place, chosen}) => (typed === '' ? chosen : isTypedFor(place, typed)))
					: [];
			const within = new Set(places.map(({place}) => place));
			const others =
				typed === ''
					? []
					: choices.filter(
							each => !found.includes(each) && geoAreasOf(each.name).some(place => within.has(place)),
						);
			const rows = [
				...places.map(each =>
					rowOf(
						each,
						`${each.place.title}: ${each.regions === 1 ? 'one region' : `all ${each.regions} regions`}`,
						`in ${each.name}`,
					),
				),
				...[...found, ...others].map(each => rowOf(each, nameOf(each))),
			];
			return typed === '' && choices.length > 0 ? [all, ...rows] : rows;
		},
	};
});
