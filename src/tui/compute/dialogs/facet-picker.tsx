import type {ComputeOption} from '../../../contract/compute.ts';
import {choicesOf, withNone, type Choice, type ListedFacet} from '../../../query/choices.ts';
import {label} from '../../../text/safe.ts';
import {fit} from '../../../text/width/width.ts';
import {movements, windowAround} from '../../core/components/scroll.ts';
import type {Rect, State, DialogProps} from '../../core/program.ts';
import type {KeyHandlers} from '../../core/room.ts';
import {useApp} from '../../core/store-context.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {topDialog} from '../../core/store/route.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {DialogBox} from '../../core/dialogs/dialog-box.tsx';

const WIDTH = 56;
const TITLES: Readonly<Record<ListedFacet, string>> = {
	gpu: 'GPU models',
	minGpus: 'Minimum GPUs',
	minVram: 'Minimum VRAM per GPU',
	maxPrice: 'Maximum price',
	regions: 'Regions',
	host: 'Hosts',
};

const choicesOnce = lastResult(choicesOf);
const NOTHING: readonly ComputeOption[] = [];
const choicesIn = ({compute, computeFilter}: State, facet: ListedFacet): readonly Choice[] =>
	choicesOnce(compute.value?.items ?? NOTHING, computeFilter, facet);

/** Name of the choice on which the cursor starts; null before there are any. A choice made before is where a new one begins. */
const firstOf = (facet: ListedFacet, choices: readonly Choice[]): string | null =>
	((facet === 'regions' ? undefined : choices.find(each => each.chosen)) ?? choices[0])?.name ?? null;

export const firstChoice = (state: State, facet: ListedFacet): string | null =>
	firstOf(facet, choicesIn(state, facet));

/** The choice under the cursor, by name: choices come and go with each refresh of the catalogue. */
const indexOf = (choices: readonly Choice[], name: string | null): number =>
	Math.max(
		0,
		choices.findIndex(each => each.name === name),
	);

const heightIn = (body: Rect): number => Math.max(3, body.height - 6);

export const picker: KeyHandlers<'picker'> = ({get, rect}) => {
	const dialog = topDialog(get(), 'facet');
	const facet = dialog?.facet ?? 'gpu';
	const choices = choicesIn(get(), facet);
	const name = dialog?.at ?? firstOf(facet, choices);
	const moveTo = (at: string | null): void => get().changeDialog({kind: 'facet', facet, at});
	return {
		...movements(
			() => indexOf(choices, name),
			choices.length,
			heightIn(rect),
			to => moveTo(choices[to]?.name ?? null),
		),
		toggle() {
			const choice = choices.find(each => each.name === name);
			if (choice === undefined) return 'It is no longer in the catalogue: choose another';
			// It stays open: Esc, which the footer tells, would otherwise leave the screen behind it.
			moveTo(name);
			get().setComputeFilter(choice.toggled);
		},
		none() {
			moveTo(name);
			get().setComputeFilter(withNone(get().computeFilter, facet));
		},
		close: () => get().closeDialog(),
	};
};

/** Chooses regions (several, byte for byte) or one value of another part of the compute filter; counts follow the rest of the filter. */
export const FacetPicker = ({facet, at = null, body}: DialogProps<'facet'>) => {
	const choices = useApp(state => choicesIn(state, facet));
	const cursor = indexOf(choices, at ?? firstOf(facet, choices));
	const height = heightIn(body);
	const from = windowAround(cursor, height, choices.length);
	const rows = choices.slice(from, from + height).map(({name, count, chosen, isCaseVariant}, offset) => {
		const text = fit(
			`${chosen ? glyph.chosen : glyph.notChosen} ${fit(`${label(name, 60) || '""'}${isCaseVariant ? ` ${glyph.twin}` : ''}`, WIDTH - 14)} ${String(count).padStart(5)}`,
			WIDTH - 4,
		);
		return from + offset === cursor
			? paint('selected', text)
			: count === 0 && !chosen
				? paint('dim', text)
				: text;
	});
	// No GPU is a choice but no model; steps of a number are not counted.
	const count =
		choices.length === 0
			? ''
			: facet === 'gpu'
				? ` ${Math.max(0, choices.length - 1)}`
				: facet === 'regions' || facet === 'host'
					? ` ${choices.length}`
					: '';
	return (
		<DialogBox
			title={`${TITLES[facet]}${count}`}
			body={body}
			width={WIDTH}
			lines={rows.length > 0 ? rows : [paint('dim', 'The catalogue has not arrived yet.')]}
		/>
	);
};
