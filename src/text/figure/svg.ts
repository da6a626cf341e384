// Draws the bars, lines and points of a figure as SVG.
import {escapeHtml} from '../output/entities.ts';
import type {Figure, Series} from './figure.ts';

const WIDTH = 900;
const HEIGHT = 480;
const AREA = {left: 70, top: 20, right: 20, bottom: 70} as const;
/** Colours that colour-blind readers can distinguish (Okabe and Ito). */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#000000'];
const MOST_LABELS = 12;

type Scale = {
	readonly at: (value: string | number) => number;
	readonly labels: readonly (readonly [number, string])[];
};

/** Round axis values over a range, about five. */
const ticks = (from: number, to: number): readonly number[] => {
	const rough = (to - from) / 5;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = ([1, 2, 5, 10].find(each => each * power >= rough) ?? 10) * power;
	const first = Math.ceil(from / step);
	const count = Math.floor(to / step) - first + 1;
	return Array.from({length: Math.min(50, Math.max(0, count))}, (_, index) => (first + index) * step);
};

const numberText = (value: number): string => String(Number(value.toPrecision(6)));

const rangeOf = (values: readonly number[], hasZero: boolean): readonly [number, number] => {
	let [low, high] = hasZero ? [0, 0] : [Infinity, -Infinity];
	for (const value of values) {
		low = Math.min(low, value);
		high = Math.max(high, value);
	}
	if (!Number.isFinite(low)) return [0, 1];
	return low === high ? [low - 1, high + 1] : [low, high];
};

const span = WIDTH - AREA.left - AREA.right;
const rise = HEIGHT - AREA.top - AREA.bottom;

const scaleX = (series: readonly Series[]): Scale => {
	const all = series.flatMap(({x}) => x);
	const isNumeric = !series.some(({kind}) => kind === 'bar') && all.every(value => typeof value === 'number');
	if (isNumeric) {
		const [low, high] = rangeOf(all.map(Number), false);
		const at = (value: string | number): number => AREA.left + ((Number(value) - low) / (high - low)) * span;
		return {at, labels: ticks(low, high).map(value => [at(value), numberText(value)])};
	}
	const names = [...new Set(all.map(String))];
	const places = new Map(
		names.map((name, index) => [name, AREA.left + ((index + 0.5) / names.length) * span]),
	);
	const each = Math.ceil(names.length / MOST_LABELS);
	const at = (value: string | number): number => places.get(String(value)) ?? AREA.left;
	return {at, labels: names.filter((_, index) => index % each === 0).map(name => [at(name), name])};
};

const round = (value: number): string => value.toFixed(1);

/** SVG of a figure. Null if none of its series can be drawn. */
export const figureSvg = ({series, xTitle, yTitle, title}: Figure): string | null => {
	const drawn = series.filter(({kind, y}) => kind !== 'table' && y.some(value => value !== null));
	if (drawn.length === 0) return null;
	const bars = drawn.filter(({kind}) => kind === 'bar');
	const x = scaleX(drawn);
	const values = drawn.flatMap(({y}) => y.filter(value => value !== null));
	const [low, high] = rangeOf(values, bars.length > 0);
	const y = (value: number): number => AREA.top + rise - ((value - low) / (high - low)) * rise;
	const slots = Math.max(1, new Set(bars.flatMap(each => each.x.map(String))).size);
	const width = Math.max(0.5, (span / slots) * 0.8) / Math.max(1, bars.length);
	const marks = drawn.map((each, index) => {
		const colour = COLOURS[index % COLOURS.length] ?? '';
		const points = each.x.flatMap((name, at): (readonly [number, number])[] => {
			const value = each.y[at];
			return typeof value === 'number' ? [[x.at(name), value]] : [];
		});
		if (each.kind === 'bar') {
			const shift = (bars.indexOf(each) - bars.length / 2) * width;
			return points
				.map(([place, value]) => {
					const top = Math.min(y(value), y(0));
					return `<rect x="${round(place + shift)}" y="${round(top)}" width="${round(width)}" height="${round(Math.abs(y(value) - y(0)))}" fill="${colour}"/>`;
				})
				.join('');
		}
		if (each.kind === 'line')
			return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map(([place, value]) => `${round(place)},${round(y(value))}`).join(' ')}"/>`;
		return points
			.map(
				([place, value]) => `<circle cx="${round(place)}" cy="${round(y(value))}" r="3" fill="${colour}"/>`,
			)
			.join('');
	});
	const text = (at: readonly [number, number], anchor: string, shown: string): string =>
		`<text x="${round(at[0])}" y="${round(at[1])}" text-anchor="${anchor}">${escapeHtml(shown)}</text>`;
	const grid = ticks(low, high).map(
		value =>
			`<line x1="${AREA.left}" x2="${WIDTH - AREA.right}" y1="${round(y(value))}" y2="${round(y(value))}" stroke="#8884"/>${text([AREA.left - 8, y(value) + 4], 'end', numberText(value))}`,
	);
	const short = (label: string): string => (label.length > 14 ? `${label.slice(0, 13)}…` : label);
	const names = x.labels.map(([place, label]) =>
		text([place, HEIGHT - AREA.bottom + 20], 'middle', short(label)),
	);
	const middle = AREA.left + span / 2;
	return [
		`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}" font-size="12" fill="currentColor">`,
		...grid,
		...marks,
		...names,
		xTitle === '' ? '' : text([middle, HEIGHT - 20], 'middle', xTitle),
		yTitle === ''
			? ''
			: `<text transform="translate(16 ${AREA.top + rise / 2}) rotate(-90)" text-anchor="middle">${escapeHtml(yTitle)}</text>`,
		'</svg>',
	].join('\n');
};

/** Legend as HTML: names of the drawn series with their colours. */
export const legendHtml = ({series}: Figure): string =>
	series
		.filter(({kind, y}) => kind !== 'table' && y.some(value => value !== null))
		.map(
			({name}, index) =>
				`<span class="key" style="background:${COLOURS[index % COLOURS.length] ?? ''}"></span>${escapeHtml(name)}`,
		)
		.join(' ');
