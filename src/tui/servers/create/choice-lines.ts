import {mayBeAvailable} from '../../../query/offers.ts';
import {computeIdOf, gpuModel} from '../../../query/option.ts';
import type {Choice} from './choices.ts';
import {priceText} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {fit} from '../../../text/width/width.ts';
import {windowAround} from '../../core/components/scroll.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {knownText, numberText, UNKNOWN} from '../../../text/known.ts';

type Cells = readonly {readonly text: string; readonly width: number; readonly right?: true}[];

const joined = (cells: Cells): string =>
	cells.map(({text, width, right}) => fit(text, width, right ? 'right' : 'left')).join('  ');

/** Width of the columns after id and GPU, with gaps, in cells. */
const NUMBERS = 4 + 6 + 5 + 7 + 9 + 7 + 6 * 2;
const LEAST_ID = 24;
const LEAST_GPU = 12;
/** Width of the columns price and regions alone. */
const NARROW = 9 + 7 + 2 * 2;

/** The columns of the catalogue; on a narrow screen only the most important ones. */
const computeCells = (
	[id, gpu, count, vram, cpus, memory, price, regions]: readonly string[],
	width: number,
): Cells => {
	const isWide = width >= LEAST_ID + LEAST_GPU + NUMBERS + 2;
	const gpuWidth = isWide ? Math.min(24, width - NUMBERS - 2 - LEAST_ID) : 0;
	const first = width - (isWide ? NUMBERS + gpuWidth + 2 : NARROW);
	const end: Cells = [
		{text: price ?? '', width: 9, right: true},
		{text: regions ?? '', width: 7, right: true},
	];
	if (!isWide) return [{text: id ?? '', width: Math.max(8, first)}, ...end];
	return [
		{text: id ?? '', width: first},
		{text: gpu ?? '', width: gpuWidth},
		{text: count ?? '', width: 4, right: true},
		{text: vram ?? '', width: 6, right: true},
		{text: cpus ?? '', width: 5, right: true},
		{text: memory ?? '', width: 7, right: true},
		...end,
	];
};

const computeText = ({id, offer, from}: Choice, width: number): string => {
	if (offer === undefined)
		return joined(
			computeCells(
				[
					label(id),
					from === 'servers' ? 'as other servers have' : 'as you typed it',
					'',
					'',
					'',
					'',
					UNKNOWN,
					'',
				],
				width,
			),
		);
	const {num_gpus: gpus, vram_per_gpu: vram, cpus, memory, hourly_price: price, availability} = offer;
	return joined(
		computeCells(
			[
				`${label(id)}${computeIdOf(offer).guessed ? ' ?' : ''}`,
				label(gpuModel(offer), 60),
				gpus === 0 ? glyph.none : numberText(gpus),
				gpus === 0 ? glyph.none : label(knownText(vram), 12),
				numberText(cpus),
				label(knownText(memory), 12),
				priceText(price),
				availability.length === 0
					? UNKNOWN
					: `${availability.filter(({available}) => available).length}/${availability.length}`,
			],
			width,
		),
	);
};

const environmentText = ({id, environment}: Choice, width: number): string => {
	const first = Math.max(12, Math.min(28, Math.floor(width * 0.35)));
	return joined([
		{text: label(id), width: first},
		{text: label(environment?.name ?? ''), width: width - first - 2},
	]);
};

/**
 * The list below a field: a header for the catalogue, then the entries around the cursor that fit
 * into `height` rows of `width` cells.
 */
export const choiceLines = (
	choices: readonly Choice[],
	at: number,
	isCompute: boolean,
	width: number,
	height: number,
): readonly string[] => {
	const inner = width - 2;
	const head = isCompute
		? [
				paint(
					'dim',
					`  ${joined(computeCells(['Compute', 'GPU', 'GPUs', 'VRAM', 'CPUs', 'Memory', 'Price /h', 'Regions'], inner))}`,
				),
			]
		: [];
	const room = Math.max(1, height - head.length);
	const from = windowAround(Math.max(0, at), room, choices.length);
	const rows = choices.slice(from, from + room).map((choice, offset) => {
		const here = from + offset === at;
		const text = `${here ? glyph.cursor : ' '} ${isCompute ? computeText(choice, inner) : environmentText(choice, inner)}`;
		if (here) return paint('selected', text);
		return choice.offer !== undefined && !mayBeAvailable(choice.offer) ? paint('dim', text) : text;
	});
	return [...head, ...rows];
};
