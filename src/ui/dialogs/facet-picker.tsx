import {useRef, useState} from 'react';
import {gpuModelsOf, regionsOf} from '../../query/values.ts';
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

/** Chooses regions (several, byte for byte) or one GPU model for the compute filter; counts are of the whole catalogue. */
export const FacetPicker = ({facet, body}: {readonly facet: 'regions' | 'gpu'; readonly body: Rect}) => {
	const get = useGetState();
	const items = useApp(state => state.compute.value?.items);
	const filter = useApp(state => state.computeFilter);
	const at = useRef(0);
	const [stored, draw] = useState(0);
	const move = (to: number): void => {
		at.current = to;
		draw(to);
	};
	const values = facet === 'regions' ? regionsOf(items ?? []).map(each => ({name: each.region, count: each.options})) : gpuModelsOf(items ?? []).map(each => ({name: each.model, count: each.options}));
	const cursor = clamp(stored, 0, Math.max(0, values.length - 1));
	const isChosen = (name: string, {regions, gpu} = filter): boolean => (facet === 'regions' ? regions.includes(name) : gpu === name);
	const height = Math.max(3, body.height - 6);
	useKeys('picker', {
		...movements(() => at.current, values.length, height, move),
		toggle() {
			const name = values[at.current]?.name;
			if (name === undefined) return 'There is nothing to choose';
			const latest = get().computeFilter;
			if (facet === 'regions') {
				get().setComputeFilter({...latest, regions: isChosen(name, latest) ? latest.regions.filter(each => each !== name) : [...latest.regions, name]});
				return;
			}
			const {gpu: _, ...rest} = latest;
			get().setComputeFilter(isChosen(name, latest) ? rest : {...rest, gpu: name});
			get().closeDialog();
		},
		none() {
			const {gpu: _, ...rest} = get().computeFilter;
			get().setComputeFilter(facet === 'regions' ? {...get().computeFilter, regions: []} : rest);
		},
		close: () => get().closeDialog(),
	});
	const from = windowAround(cursor, height, values.length);
	const rows = values.slice(from, from + height).map(({name, count}, offset) => {
		const mark = isChosen(name) ? glyph.chosen : glyph.notChosen;
		const text = `${mark} ${fit(label(name, 60), WIDTH - 14)} ${String(count).padStart(5)}`;
		return from + offset === cursor ? paint('selected', text) : text;
	});
	const title = facet === 'regions' ? `Regions ${values.length}` : `GPU models ${values.length}`;
	return <DialogBox title={title} body={body} width={WIDTH} lines={rows.length > 0 ? rows : [paint('dim', 'The catalogue has not come yet.')]}/>;
};
