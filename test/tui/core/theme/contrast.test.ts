// Every role has a contrast of at least 4.5:1 with its background (WCAG 2, level AA).
import {expect, test} from 'vitest';
import {luminance} from '../../../../src/text/terminal-background.ts';
import {tableLines} from '../../../../src/tui/core/components/table.ts';
import {currentAppearance, hasSelection, paint, setAppearance} from '../../../../src/tui/core/theme/theme.ts';
import {codesOf, ROLES, type Colours} from '../../../../src/tui/core/theme/colours.ts';

/** The default colours of xterm. */
const XTERM =
	'000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff'.split(
		' ',
	);
const CUBE = ['00', '5f', '87', 'af', 'd7', 'ff'];
const colourOf256 = (number: number): string => {
	if (number < 16) return XTERM[number]!;
	if (number >= 232) return (8 + 10 * (number - 232)).toString(16).padStart(2, '0').repeat(3);
	const at = number - 16;
	return `${CUBE[Math.floor(at / 36)]}${CUBE[Math.floor(at / 6) % 6]}${CUBE[at % 6]}`;
};
const shares = (hex: string): readonly number[] =>
	[0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
const lightOf = (hex: string): number => {
	const [red = 0, green = 0, blue = 0] = shares(hex);
	return luminance(red, green, blue);
};
const contrast = (one: string, other: string): number => {
	const [dark = 0, light = 0] = [lightOf(one), lightOf(other)].toSorted((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
};
/** Xterm and other terminals draw faint text with two thirds of its colour. */
const faint = (letters: string, ground: string): string =>
	shares(letters)
		.map((share, at) => Math.round(255 * ((2 * share + shares(ground)[at]!) / 3)))
		.map(channel => channel.toString(16).padStart(2, '0'))
		.join('');

const hexOf = (channels: string): string =>
	channels
		.split(';')
		.map(channel => Number(channel).toString(16).padStart(2, '0'))
		.join('');

/** Colours of the text and of its background after a terminal has applied SGR parameters. */
const drawn = (sgr: string, letters: string, ground: string): readonly [string, string] => {
	const [, kind, channels = ''] = /^38;([25]);(.*)$/.exec(sgr) ?? [];
	if (kind !== undefined) return [kind === '5' ? colourOf256(Number(channels)) : hexOf(channels), ground];
	const [, groundKind, below = ''] = /^48;([25]);(.*)$/.exec(sgr) ?? [];
	if (groundKind !== undefined)
		return [letters, groundKind === '5' ? colourOf256(Number(below)) : hexOf(below)];
	let now: readonly [string, string] = [letters, ground];
	for (const each of sgr === '' ? [] : sgr.split(';').map(Number)) {
		if (each >= 30 && each <= 37) now = [XTERM[each - 30]!, now[1]];
		else if (each >= 90 && each <= 97) now = [XTERM[each - 82]!, now[1]];
		else if (each >= 40 && each <= 47) now = [now[0], XTERM[each - 40]!];
		else if (each === 2) now = [faint(now[0], now[1]), now[1]];
		else if (each === 7) now = [now[1], now[0]];
		else if (![1, 3, 4, 9].includes(each)) throw new Error(`SGR ${each} is not known here`);
	}
	return now;
};

const DEPTHS = [4, 8, 24];
const each = (
	colours: Omit<Colours, 'depth' | 'dimBy'> & Partial<Pick<Colours, 'dimBy'>>,
	letters: string,
	grounds: readonly string[],
	depths = DEPTHS,
) =>
	depths.flatMap(depth =>
		grounds.map(below => ({dimBy: 'faint' as const, ...colours, depth, letters, below})),
	);

test.each([
	// An unknown background is treated as dark, because most are dark.
	...each({theme: 'terminal', ground: null}, 'e5e5e5', ['000000']),
	...each({theme: 'terminal', ground: 'dark'}, 'e5e5e5', ['000000']),
	...each({theme: 'terminal', ground: 'light'}, '000000', ['ffffff']),
	// Grey text, for terminals that may not draw SGR 2.
	...each({theme: 'terminal', ground: null, dimBy: 'grey'}, 'e5e5e5', ['000000']),
	...each({theme: 'terminal', ground: 'dark', dimBy: 'grey'}, 'e5e5e5', ['000000']),
	...each({theme: 'terminal', ground: 'light', dimBy: 'grey'}, '000000', ['ffffff']),
	...each({theme: 'light', ground: 'light', dimBy: 'grey'}, '000000', ['ffffff']),
	...each({theme: 'dark', ground: 'dark'}, 'e5e5e5', ['000000']),
	// Backgrounds of Visual Studio Code, Ubuntu and One Dark.
	...each({theme: 'dark', ground: 'dark'}, 'ffffff', ['1e1e1e', '300a24', '282c34'], [8, 24]),
	...each({theme: 'light', ground: 'light'}, '000000', ['ffffff']),
	// Backgrounds of Solarized light, and a light grey.
	...each({theme: 'light', ground: 'light'}, '000000', ['fdf6e3', 'eeeeee'], [8, 24]),
	...each({theme: 'high-contrast', ground: null}, 'ffffff', ['000000']),
	...each({theme: 'high-contrast', ground: null}, '000000', ['ffffff']),
])('theme $theme in $depth bits on $below, dim by $dimBy, is readable', ({letters, below, ...colours}) => {
	const codes = codesOf(colours);
	const grounds = [
		below,
		...(['selected', 'raised', 'field'] as const)
			.filter(role => codes[role][0].startsWith('48;'))
			.map(role => drawn(codes[role][0], letters, below)[1]),
	];
	const texts = ROLES.filter(role => !['rule', 'raised', 'field'].includes(role)).flatMap(role =>
		grounds.map(ground => ({role, ground})),
	);
	const pale = texts
		.map(({role, ground}) => {
			const [over, under] = drawn(codes[role][0], letters, ground);
			return `${role} ${contrast(over, under).toFixed(2)}`;
		})
		.filter(said => Number(said.split(' ')[1]) < 4.5);
	expect(pale).toEqual([]);
});

test.each([8, 24])('a selected row keeps the colour of its state in %i bits', depth => {
	const before = currentAppearance();
	setAppearance({...before, theme: 'terminal', depth, ground: 'dark'});
	try {
		const good = paint('good', '● ready');
		const {lines} = tableLines({
			columns: [{head: 'State', value: (row: string) => row, style: (_, cell) => paint('good', cell)}],
			all: ['● ready', '● ready'],
			from: 0,
			height: 2,
			cursor: 0,
			focused: true,
			width: 20,
		});
		expect(lines[0]).toContain(good);
		expect(lines[1]).toContain(good);
		expect(hasSelection(lines[0]!)).toBe(true);
		expect(hasSelection(lines[1]!)).toBe(false);
		// A sequence that ends all styles, as after a cut, does not end the background.
		expect(paint('selected', 'a\u001B[0mb')).toBe(
			`${paint('selected', 'a\u001B[0m').slice(0, -5)}b\u001B[49m`,
		);
	} finally {
		setAppearance(before);
	}
});

test('contrast is counted as WCAG does', () => {
	expect(contrast('000000', 'ffffff')).toBeCloseTo(21);
	// Yellow on white is unreadable.
	expect(contrast('cdcd00', 'ffffff')).toBeLessThan(2);
	expect(contrast('777777', 'ffffff')).toBeCloseTo(4.48, 2);
});

test.each(['000000', 'ffffff'])('the grey on an unknown background is readable on %s', ground => {
	const {dim} = codesOf({theme: 'terminal', depth: 8, ground: null, dimBy: 'grey'});
	expect(contrast(drawn(dim[0], '000000', ground)[0], ground)).toBeGreaterThanOrEqual(4.5);
});

test.each([4, 8, 24])('no role is faint in %i bits where faint may not be drawn', depth => {
	for (const ground of [null, 'dark', 'light'] as const) {
		for (const theme of ['terminal', 'dark', 'light', 'high-contrast'] as const) {
			const codes = codesOf({theme, depth, ground, dimBy: 'grey'});
			expect(Object.values(codes).filter(([on]) => on.split(';')[0] === '2')).toEqual([]);
		}
	}
});
