import headless from '@xterm/headless';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createShellFilter} from '../../../src/text/shell/filter.ts';
import {testCases} from '../../support/test-cases.ts';

const whole = (text: string): string => createShellFilter().pass(text);
const ESC = '\u001B';

const FORBIDDEN = [
	`${ESC}]52;c;aGVsbG8=\u0007`,
	`${ESC}]52;c;?${ESC}\\`,
	`${ESC}]0;title\u0007`,
	`${ESC}]2;title${ESC}\\`,
	`${ESC}ktitle${ESC}\\`,
	`${ESC}]4;1;?\u0007`,
	`${ESC}]10;?\u0007`,
	`${ESC}]11;?${ESC}\\`,
	`${ESC}]8;;file:///etc/passwd\u0007`,
	`${ESC}]1337;File=inline=1:AAAA\u0007`,
	`${ESC}]9;told\u0007`,
	`${ESC}[c`,
	`${ESC}[0c`,
	`${ESC}[>c`,
	`${ESC}[=c`,
	`${ESC}Z`,
	`${ESC}[5n`,
	`${ESC}[6n`,
	`${ESC}[?6n`,
	`${ESC}[?996n`,
	`${ESC}[14t`,
	`${ESC}[21t`,
	`${ESC}[8;1;1t`,
	`${ESC}[x`,
	`${ESC}[?2026$p`,
	`${ESC}[4$p`,
	`${ESC}[>q`,
	`${ESC}[>0q`,
	`${ESC}[?u`,
	`${ESC}[>1u`,
	`${ESC}[>4;2m`,
	`${ESC}[?4m`,
	`${ESC}[1;1;1;1;1;1*y`,
	`${ESC}[5i`,
	`${ESC}[?1;1;0S`,
	`${ESC}[3J`,
	`${ESC}[1;2;3;4;5T`,
	`${ESC}[?1049s`,
	`${ESC}[?3h`,
	`${ESC}[20h`,
	`${ESC}[999999999999b`,
	`${ESC}P$qm${ESC}\\`,
	`${ESC}P+q544e${ESC}\\`,
	`${ESC}Pq#0;2;0;0;0~${ESC}\\`,
	`${ESC}_Gt=f,a=T;L2V0Yy9wYXNzd2Q=${ESC}\\`,
	`${ESC}^private${ESC}\\`,
	`${ESC}Xstring${ESC}\\`,
	`${ESC}%@`,
	`${ESC}#8`,
	'\u009B6n',
	'\u009D52;c;aGk=\u009C',
	'\u0090$qm\u009C',
	'\u009FGa=q\u009C',
	'\u0005',
	'\u0000',
	'\u007F',
	'\u0085',
];
const ALLOWED = [
	'text',
	'漢字 e\u0301 👩‍👩‍👧',
	'\r\n\t\b\u0007',
	`${ESC}[1;31m`,
	`${ESC}[38:2::1:2:3m`,
	`${ESC}[m`,
	`${ESC}[10;20H`,
	`${ESC}[2J`,
	`${ESC}[K`,
	`${ESC}[?1049h`,
	`${ESC}[?1049l`,
	`${ESC}[?25l`,
	`${ESC}[?1000;1006h`,
	`${ESC}[?2004h`,
	`${ESC}[?2004l`,
	`${ESC}[?1h`,
	`${ESC}=`,
	`${ESC}>`,
	`${ESC}[2;10r`,
	`${ESC}M`,
	`${ESC}7`,
	`${ESC}8`,
	`${ESC}(0`,
	`${ESC}(B`,
	`${ESC}[4h`,
	`${ESC}[4l`,
	`${ESC}[3L`,
	`${ESC}[2 q`,
	`${ESC}[!p`,
	`${ESC}[S`,
	`${ESC}[2T`,
	`${ESC}[5b`,
];

/**
 * Actions in a text that xterm's own parser reports and that a server may not trigger in a
 * terminal.
 */
const judge = async (text: string): Promise<readonly string[]> => {
	const terminal = new headless.Terminal({
		cols: 80,
		rows: 24,
		allowProposedApi: true,
		windowOptions: {getWinTitle: true, getWinSizeChars: true},
	});
	const found: string[] = [];
	terminal.onData(answer => found.push(`answered ${JSON.stringify(answer)}`));
	terminal.onTitleChange(title => found.push(`title ${title}`));
	const {parser} = terminal;
	for (const id of [...Array.from({length: 200}, (_, index) => index), 633, 777, 1337, 5522])
		parser.registerOscHandler(id, () => found.push(`OSC ${id}`) > 0);
	const letters = Array.from({length: 0x3f}, (_, index) => String.fromCharCode(0x40 + index));
	const note = (what: string) => () => {
		found.push(what);
		return false;
	};
	for (const final of letters) {
		for (const prefix of ['', '?', '>', '=', '<'])
			for (const intermediates of ['', '$', '+', '!', '"', '#', "'", '*', ' ']) {
				const id = {final, ...(prefix && {prefix}), ...(intermediates && {intermediates})};
				parser.registerDcsHandler(id, () => {
					found.push(`DCS ${prefix}${intermediates}${final}`);
					return false;
				});
				const isPrivate = prefix === '>' || prefix === '=' || prefix === '<';
				const isRare = intermediates !== '' && `${intermediates}${final}` !== ' q' && intermediates !== '!';
				if (isPrivate || isRare || 'cintxyp'.includes(final))
					if (`${prefix}${intermediates}${final}` !== '!p')
						parser.registerCsiHandler(id, note(`CSI ${prefix}${intermediates}${final}`));
			}
	}
	for (const final of ['Z', 'c', 'H', 'l', 'm']) parser.registerEscHandler({final}, note(`ESC ${final}`));
	await new Promise<void>(resolve => terminal.write(text, resolve));
	terminal.dispose();
	// Sequences that xterm's parser does not report.
	const strings = text.match(/\u001B[\]PX^_k%#]/g) ?? [];
	const controls = [...text].filter(each => {
		const code = each.charCodeAt(0);
		return code < 0x07 || (code > 0x0f && code < 0x20 && code !== 0x1b) || (code > 0x7e && code < 0xa0);
	});
	return [...found, ...strings, ...controls];
};

test.for(FORBIDDEN)('%j never passes', async sequence => {
	const passed = whole(`a${sequence}b`);
	expect(passed).toBe('ab');
});

test.for(ALLOWED)('%j passes as it is', sequence => {
	expect(whole(sequence)).toBe(sequence);
});

test('only the allowed modes of a sequence pass', () => {
	expect(whole(`${ESC}[?3;25;8452;1002h`)).toBe(`${ESC}[?25;1002h`);
});

const piece = fc.oneof(
	fc.constantFrom(...FORBIDDEN),
	fc.constantFrom(...ALLOWED),
	// Incomplete sequences, and bytes of a binary file.
	fc.constantFrom(...FORBIDDEN, ...ALLOWED).chain(text => fc.nat(text.length).map(end => text.slice(0, end))),
	fc.uint8Array({maxLength: 24}).map(bytes => Buffer.from(bytes).toString('latin1')),
	fc.uint8Array({maxLength: 24}).map(bytes => new TextDecoder().decode(bytes)),
	fc.constantFrom('\uD83D', '\uDE00', ESC, `${ESC}[`, `${ESC}]`, ';', '\u009B', '\u0018'),
);
const output = fc.array(piece, {maxLength: 12}).map(pieces => pieces.join(''));

testCases('any output in any pieces gives the same as the whole', 2000, cases => {
	fc.assert(
		fc.property(output, fc.array(fc.nat(200), {maxLength: 8}), (text, cuts) => {
			const filter = createShellFilter();
			let passed = '';
			let from = 0;
			for (const cut of [
				...cuts.map(each => Math.min(each, text.length)).sort((a, b) => a - b),
				text.length,
			]) {
				passed += filter.pass(text.slice(from, cut));
				from = cut;
			}
			const inOne = createShellFilter();
			expect(passed).toBe(inOne.pass(text));
			expect(filter.restore()).toBe(inOne.restore());
		}),
		{numRuns: cases},
	);
});

testCases('for any output, xterm finds nothing forbidden in it, and replies nothing', 150, async cases => {
	await fc.assert(
		fc.asyncProperty(output, async text => {
			const filter = createShellFilter();
			expect(await judge(filter.pass(text) + filter.restore())).toEqual([]);
		}),
		{numRuns: cases},
	);
});

test('the judge notices every forbidden action', async () => {
	for (const sequence of FORBIDDEN.filter(each => /\]52|\[6n|\[c|P\$q|_G|\[>q|\u009D/.test(each)))
		expect(await judge(sequence), JSON.stringify(sequence)).not.toEqual([]);
});

testCases('every mode that was switched is as before after restore', 200, async cases => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.constantFrom(...ALLOWED), {maxLength: 30}), async sequences => {
			const terminal = new headless.Terminal({cols: 80, rows: 24, allowProposedApi: true});
			const filter = createShellFilter();
			const before = {...terminal.modes};
			const text = filter.pass(sequences.join('')) + filter.restore();
			await new Promise<void>(resolve => terminal.write(text, resolve));
			expect({...terminal.modes}).toEqual(before);
			expect(terminal.buffer.active.type).toBe('normal');
			// Letters are still drawn as letters, one below the other, over the whole height.
			await new Promise<void>(resolve => terminal.write(`\r\n${'q\r\n'.repeat(40)}lqk`, resolve));
			const {active} = terminal.buffer;
			expect(active.getLine(active.baseY + 23)?.translateToString(true)).toBe('lqk');
			expect(active.getLine(active.baseY + 1)?.translateToString(true)).toBe('q');
			terminal.dispose();
		}),
		{numRuns: cases},
	);
});

test('a sequence that never ends holds no memory, and ends with the next one', () => {
	const filter = createShellFilter();
	expect(filter.pass(`${ESC}]52;c;${'A'.repeat(1_000_000)}`)).toBe('');
	expect(filter.pass(`${ESC}[31mred`)).toBe(`${ESC}[31mred`);
	expect(filter.pass(`${ESC}[${'1;'.repeat(500_000)}`)).toBe('');
	expect(filter.pass('mtext')).toBe('text');
});
