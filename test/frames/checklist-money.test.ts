// Rules for rates, column heads and bold text, on the drawn frames of the lists.
import {beforeAll, describe, expect, test} from 'vitest';
import {setCurrency} from '../../src/text/money.ts';
import {drawScene, shownText} from './draw.tsx';
import {sceneName, type Scene, type Size} from './scene.ts';
import {scenes} from './scenes/index.ts';

const SIZES: readonly Size[] = [
	{columns: 80, rows: 24},
	{columns: 120, rows: 40},
	{columns: 200, rows: 50},
];
const sceneOf = (name: string): Scene => scenes.find(scene => sceneName(scene) === name)!;
const lists = scenes.filter(({screen}) => ['servers', 'environments'].includes(screen));

type Drawn = {
	readonly name: string;
	readonly size: Size;
	readonly rows: readonly string[];
	readonly lines: readonly string[];
};
const drawn: Drawn[] = [];
beforeAll(async () => {
	for (const scene of lists)
		for (const size of SIZES) {
			const frame = await drawScene(scene, size);
			const lines = (await shownText(frame, size)).split('\n');
			drawn.push({name: sceneName(scene), size, rows: frame.split('\n'), lines});
		}
});

/** Bold parts of a row with text, as the terminal's attributes say. */
const boldIn = (row: string): readonly string[] => {
	const runs: string[] = [];
	let isBold = false;
	for (const part of row.split(/(\u001B\[[\d;]*m)/)) {
		const codes = /^\u001B\[([\d;]*)m$/.exec(part)?.[1]?.split(';');
		if (codes === undefined) {
			if (isBold && part.trim() !== '') runs.push(part);
		} else if (codes.includes('1')) isBold = true;
		else if (codes.some(code => ['0', '22', ''].includes(code))) isBold = false;
	}
	return runs;
};

test('bold runs of a row are found', () => {
	expect(boldIn('\u001B[1ma\u001B[22m b \u001B[1;4mc\u001B[0m')).toEqual(['a', 'c']);
});

test('no row of a list has more than one bold run', () => {
	const faults = drawn.flatMap(({name, size, rows}) =>
		rows.flatMap((row, at) =>
			boldIn(row).length > 1 ? [`${name} ${size.columns} row ${at}: ${boldIn(row).join(' | ')}`] : [],
		),
	);
	expect(drawn.some(({rows}) => rows.some(row => boldIn(row).length === 1))).toBe(true);
	expect(faults).toEqual([]);
});

describe('column heads of servers', () => {
	const full = (): readonly Drawn[] => drawn.filter(({name}) => name === 'servers full');
	const headOf = ({lines}: Drawn): string => lines.find(line => /^ {3}Name /.test(line)) ?? '';

	test('are in sentence case', () => {
		expect(full()).toHaveLength(3);
		for (const each of full()) {
			const head = headOf(each).split('│')[0] ?? '';
			expect(head).toMatch(/Name +State +Compute +(?:Environment +)?Rate \/h +Today/);
			expect(head).not.toMatch(/[A-Z]{2}/);
		}
	});

	test('start or end where their cells do', () => {
		for (const each of full()) {
			const head = headOf(each);
			const row = each.lines.find(line => line.includes('▸ trainer')) ?? '';
			for (const [column, value] of [
				['State', '● ready'],
				['Compute', '8× A100'],
			] as const)
				expect(row.indexOf(value), column).toBe(head.indexOf(column));
			for (const [column, value] of [
				['Rate /h', ' 12.00'],
				['Today', '≥0.00'],
			] as const)
				expect(row.indexOf(value) + value.length, column).toBe(head.indexOf(column) + column.length);
		}
	});
});

test('every rate beside the list is followed by its rate per day', () => {
	const rates = drawn.flatMap(({name, lines}) =>
		lines.flatMap(line => {
			const detail = line.split('│')[1] ?? '';
			return /\d\/h/.test(detail) ? [`${name}: ${detail.trim()}`] : [];
		}),
	);
	expect(rates.length).toBeGreaterThan(5);
	expect(rates.filter(line => !/\d\/h {3}\d+(?:\.\d\d)?\/day/.test(line))).toEqual([]);
});

test.each([
	['$', /\$12\.00\/h {3}\$288\/day/, / \$\/h +Today/],
	['EUR', /12\.00 EUR\/h {3}288 EUR\/day/, / EUR\/h +Today/],
	['', /12\.00\/h {3}288\/day/, / Rate \/h +Today/],
])('amounts and heads have the currency %j', async (currency, rate, head) => {
	const size = SIZES[1]!;
	setCurrency(currency);
	try {
		const text = await shownText(await drawScene(sceneOf('servers full'), size), size);
		expect(text).toMatch(rate);
		expect(text).toMatch(head);
		expect(text).not.toMatch(/\$ \/h|\$ \d/);
		expect(text).not.toMatch(/\d\+(?: |$)/m);
	} finally {
		setCurrency('');
	}
});

test('details stay beside the list from 100 columns on, however long a name is', () => {
	for (const {name, size, lines} of drawn.filter(each => /^servers (?:full|on-hosts|idle)$/.test(each.name)))
		expect(/┬─ \S/.test(lines[1] ?? ''), `${name} ${size.columns}`).toBe(size.columns >= 100);
});
