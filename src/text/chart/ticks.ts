import type {Axis} from './chart.ts';

/** Labelled value on an axis. */
export type Tick = {readonly value: number; readonly text: string};

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Distances between date labels, in ms. Longer ones are whole multiples of days. */
const DATE_STEPS = [
	1000,
	5000,
	15_000,
	MINUTE,
	5 * MINUTE,
	15 * MINUTE,
	60 * MINUTE,
	180 * MINUTE,
	720 * MINUTE,
	DAY,
	2 * DAY,
	7 * DAY,
	14 * DAY,
	30 * DAY,
	91 * DAY,
	182 * DAY,
	365 * DAY,
	1826 * DAY,
	3652 * DAY,
];

/** Smallest number of the form 1, 2 or 5 times a power of ten that is at least `least`. */
const roundStep = (least: number): number => {
	const power = 10 ** Math.floor(Math.log10(least));
	return ([1, 2, 5].find(each => each * power >= least * 0.999_999) ?? 10) * power;
};

const numberText = (value: number, step: number): string => {
	const size = Math.max(Math.abs(value), step);
	if (size >= 1e15 || (size < 1e-5 && size > 0)) return value === 0 ? '0' : value.toExponential(2);
	const decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
	return value.toLocaleString('en', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
};

const dateText = (value: number, step: number): string => {
	const date = new Date(value);
	if (Number.isNaN(date.getTime())) return '?';
	const text = date.toISOString();
	if (step >= DAY) return text.slice(0, text.indexOf('T'));
	return step >= MINUTE ? text.slice(5, 16).replace('T', ' ') : text.slice(11, 19);
};

/** Round values on an axis, about `wanted` of them. */
export const ticksOf = ({min, max, isDates}: Axis, wanted: number): readonly Tick[] => {
	const least = (max - min) / Math.max(1, wanted);
	const textOf = isDates ? dateText : numberText;
	if (!(least > 0)) return [{value: min, text: textOf(min, isDates ? DAY : Math.abs(min) || 1)}];
	const step = isDates
		? (DATE_STEPS.find(each => each >= least) ?? Math.ceil(least / DAY) * DAY)
		: roundStep(least * 0.6);
	const first = Math.ceil(min / step - 1e-9);
	const last = Math.floor(max / step + 1e-9);
	return Array.from({length: Math.max(0, Math.min(50, last - first + 1))}, (_, at) => {
		// Adding 0 turns -0 into 0.
		const value = (first + at) * step + 0;
		return {value, text: textOf(value, step)};
	});
};
