import {useMemo, useRef, useState} from 'react';
import {choicesOf, withNone, type ListedFacet} from '../../query/choices.ts';
import {label} from '../../text/safe.ts';
import {fit} from '../../text/width.ts';
import {clamp, movements, windowAround} from '../components/scroll.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useApp, useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';

const WIDTH = 56;
const TITLES: Readonly<Record<ListedFacet, string>> = {gpu: 'GPU models', minGpus: 'GPUs at least', minVram: 'VRAM per GPU at least', maxPrice: 'Price at most', regions: 'Regions', host: 'Hosts'};

/** Chooses regions (several, byte for byte) or one value of another part of the compute filter; counts follow the rest of the filter. */
export const FacetPicker = ({facet, body}: {readonly facet: ListedFacet; readonly body: Rect}) => {
	const get = useGetState();
	const items = useApp(state => state.compute.value?.items);
	const filter = useApp(state => state.computeFilter);
	const choices = useMemo(() => choicesOf(items ?? [], filter, facet), [items, filter, facet]);
	const at = useRef(-1);
	const [, draw] = useState(0);
	// A choice made before is where a new one begins.
	if (at.current < 0 && choices.length > 0) at.current = facet === 'regions' ? 0 : Math.max(0, choices.findIndex(each => each.chosen));
	const move = (to: number): void => {
		at.current = to;
		draw(to);
	};
	const cursor = clamp(at.current, 0, Math.max(0, choices.length - 1));
	const height = Math.max(3, body.height - 6);
	useKeys('picker', {
		...movements(() => at.current, choices.length, height, move),
		toggle() {
			// Asked again: an earlier key of the same burst may have chosen something.
			const {compute, computeFilter, setComputeFilter, closeDialog} = get();
			const choice = choicesOf(compute.value?.items ?? [], computeFilter, facet)[at.current];
			if (choice === undefined) return 'There is nothing to choose';
			setComputeFilter(choice.toggled);
			if (facet !== 'regions') closeDialog();
		},
		none: () => get().setComputeFilter(withNone(get().computeFilter, facet)),
		close: () => get().closeDialog(),
	});
	const from = windowAround(cursor, height, choices.length);
	const rows = choices.slice(from, from + height).map(({name, count, chosen, isTwin}, offset) => {
		const text = fit(`${chosen ? glyph.chosen : glyph.notChosen} ${fit(`${label(name, 60) || '""'}${isTwin ? ` ${glyph.twin}` : ''}`, WIDTH - 14)} ${String(count).padStart(5)}`, WIDTH - 4);
		return from + offset === cursor ? paint('selected', text) : count === 0 && !chosen ? paint('dim', text) : text;
	});
	// No GPU is a choice but no model; steps of a number are not counted.
	const count = facet === 'gpu' ? ` ${Math.max(0, choices.length - 1)}` : facet === 'regions' || facet === 'host' ? ` ${choices.length}` : '';
	return <DialogBox title={`${TITLES[facet]}${count}`} body={body} width={WIDTH} lines={rows.length > 0 ? rows : [paint('dim', 'The catalogue has not come yet.')]}/>;
};
