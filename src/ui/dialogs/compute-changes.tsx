import {useRef, useState} from 'react';
import type {ComputeOption} from '../../contract/compute.ts';
import type {OfferChange} from '../../query/changes.ts';
import {computeIdOf} from '../../query/option.ts';
import {catalogueIndex} from '../../store/compute-list.ts';
import {perHour, priceText} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {fit} from '../../text/width.ts';
import {scrolling} from '../components/scroll.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useApp, useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';

const NAME = 40;
const named = (option: ComputeOption): string => fit(label(computeIdOf(option).id, 60), NAME);
const regions = (names: readonly string[]): string => names.map(name => label(name, 24)).join(', ');

const lineOf = (option: ComputeOption, {isNew, priceBefore, opened, closed}: OfferChange): string => [
	...(isNew ? [paint('good', `${glyph.added} new, ${perHour(option.hourly_price)}`)] : []),
	...(priceBefore === null ? [] : [paint(option.hourly_price < priceBefore ? 'good' : 'busy', `${option.hourly_price < priceBefore ? glyph.falling : glyph.rising} ${priceText(priceBefore)} to ${perHour(option.hourly_price)}`)]),
	...(opened.length > 0 ? [paint('good', `${glyph.ready} now in ${regions(opened)}`)] : []),
	...(closed.length > 0 ? [paint('dim', `${glyph.offline} no longer in ${regions(closed)}`)] : []),
].join('   ');

/** What the last refresh changed, offer by offer. */
export const ComputeChanges = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const changes = useApp(state => state.computeChanges);
	const {byId} = useApp(catalogueIndex);
	const top = useRef(0);
	const [, draw] = useState(0);
	const lines = [
		...[...(changes?.changed ?? [])].flatMap(([id, change]) => {
			const option = byId.get(id);
			return option ? [`${named(option)}  ${lineOf(option, change)}`] : [];
		}),
		...(changes?.gone ?? []).map(option => `${named(option)}  ${paint('bad', `${glyph.no} gone, it was ${perHour(option.hourly_price)}`)}`),
	];
	const height = body.height - 2;
	const last = Math.max(0, lines.length - height);
	const scroll = scrolling(() => top.current, last, height - 1, to => {
		top.current = to ?? last;
		draw(top.current);
	});
	useKeys('table', {...scroll, left() {}, right() {}, close: () => get().closeDialog()});
	const from = Math.min(top.current, last);
	return <DialogBox title={`What the last refresh changed: ${lines.length}`} body={body} width={100} lines={lines.length > 0 ? lines.slice(from, from + height) : ['Nothing: every offer is as it was.']}/>;
};
