import type {ComputeOption} from '../../../contract/compute.ts';
import type {OfferChange} from '../../../query/offer-changes.ts';
import {computeIdOf} from '../../../query/option.ts';
import {perHour, priceText} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut, fit} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {DialogBox, lineWidth, widthFor} from '../../core/dialogs/dialog-box.tsx';
import type {DialogProps, Rect, State} from '../../core/program.ts';
import type {KeyContext} from '../../core/feature.ts';
import {useApp} from '../../core/store-context.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {currentAppearance, type Appearance} from '../../core/theme/theme.ts';
import {eventText, priceEvent} from '../change-words.ts';
import {catalogueIndex, type CatalogueIndex} from '../rows.ts';
import {BESIDE_MARK, scrollingOf, scrolled} from '../../core/dialogs/scrolled.ts';

const WIDTH = 130;
/** Maximum width of an option's name. */
const NAME = 40;
const GAP = 2;
/** Minimum width for changes beside the name. If less is left, they are drawn below the name. */
const LEAST_BESIDE = 20;
/** Joins texts into lines of at most `width` cells. A mark and its text stay on one line. */
const sentences = (said: readonly string[], width: number): readonly string[] =>
	said
		.reduce<readonly string[]>((lines, one) => {
			const together = `${lines.at(-1) ?? ''}   ${one}`;
			return lines.length > 0 && cellWidth(together) <= width
				? [...lines.slice(0, -1), together]
				: [...lines, one];
		}, [])
		.flatMap(line => wrap(line, width));
const nameOf = (option: ComputeOption): string => label(computeIdOf(option).id, 60);
type Said = readonly [option: ComputeOption, said: readonly string[]];
const rowsOf = ([option, said]: Said, name: number, width: number): readonly string[] => {
	const id = nameOf(option);
	return width - name - GAP < LEAST_BESIDE
		? [cut(id, width), ...sentences(said, width - GAP).map(line => ' '.repeat(GAP) + line)]
		: sentences(said, width - name - GAP).map((line, index) => fit(index === 0 ? id : '', name + GAP) + line);
};
const regions = (names: readonly string[]): string => names.map(name => label(name, 24)).join(', ');

const lineOf = (
	option: ComputeOption,
	{isNew, priceBefore, opened, closed}: OfferChange,
): readonly string[] => [
	...(isNew ? [eventText('new', `new, ${perHour(option.hourly_price)}`)] : []),
	...(priceBefore === null
		? []
		: [
				eventText(
					priceEvent(priceBefore, option.hourly_price),
					`${priceText(priceBefore)} to ${perHour(option.hourly_price)}`,
				),
			]),
	...(opened.length > 0 ? [eventText('opened', `now available in ${regions(opened)}`)] : []),
	...(closed.length > 0 ? [eventText('closed', `no longer in ${regions(closed)}`)] : []),
];

const linesOf = lastResult(
	(
		changes: State['computeChanges'],
		{byId}: CatalogueIndex,
		width: number,
		_look: Appearance,
	): readonly (readonly string[])[] => {
		const all: readonly Said[] = [
			...[...(changes?.changed ?? [])].flatMap(([id, change]): readonly Said[] => {
				const option = byId.get(id);
				return option ? [[option, lineOf(option, change)]] : [];
			}),
			...(changes?.gone ?? []).map((option): Said => [
				option,
				[eventText('gone', `removed (was ${perHour(option.hourly_price)})`)],
			]),
		];
		const name = all.reduce((most, [option]) => Math.max(most, Math.min(NAME, cellWidth(nameOf(option)))), 0);
		return all.map(each => rowsOf(each, name, width));
	},
);
const changeRows = (state: State, body: Rect) =>
	linesOf(
		state.computeChanges,
		catalogueIndex(state),
		lineWidth(body, WIDTH) - BESIDE_MARK,
		currentAppearance(),
	);

export const scrollChanges = (at: KeyContext) =>
	scrollingOf(at, 'changes', () => ({
		count: changeRows(at.get(), at.rect).flat().length,
		room: at.rect.height - 2,
	}));

export const ComputeChanges = ({top = 0, body}: DialogProps<'changes'>) => {
	const offers = useApp(state => changeRows(state, body));
	const lines = offers.flat();
	const {rowsOf, position} = scrolled(top, lines.length, body.height - 2);
	const title = `Options changed in the last refresh: ${offers.length}`;
	const width = widthFor(title, lines, WIDTH, BESIDE_MARK);
	return (
		<DialogBox
			title={title}
			body={body}
			width={width}
			position={position}
			lines={lines.length > 0 ? rowsOf(lines, lineWidth(body, width)) : ['No changes.']}
		/>
	);
};
