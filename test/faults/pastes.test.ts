import {expect, test, vi} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {fieldRows, insideBox} from './columns.ts';
import {inOneFolder, startHostileService} from './hostile-service.ts';
import {openWatched, screenOf} from './watched-screen.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

/**
 * Text that would close, quit, suspend, run or move something if a part of it were treated as keys.
 */
const KEYS =
	'a\u001B[Ab\u001B\u001Bc\u0003d\u0004e\u001Af\u0018?g\u0015h\tj\u007Fk\u001BOPl\u001B]52;c;aGk=\u0007m\u001B[<0;1;1Mn';
const SHOWN = 'a^[[Ab^[^[c^Cd^De^Zf^X?g^Uh^Ij^?k^[OPl^[]52;c;aGk=^Gm^[[<0;1;1Mn';

test(
	'a paste of 10 MB is refused whole, with the limit, in every field, and the next key works at once',
	{tags: 'long'},
	async () => {
		await using service = await startHostileService();
		await using screen = await openWatched(service);
		const {terminal, rows} = screen;
		await screen.shows(/calm +\S ready/);
		const lines = `${'0123456789'.repeat(7)}\n`.repeat(140_845);
		const refusal = 'Nothing was pasted: a field takes 100,000 characters at once';
		const refused = async (before: string) => {
			await terminal.untilTrue(refusal, () => terminal.line(rows - 2).includes(refusal), 60_000);
			const frame = screenOf(await screen.frame());
			expect(frame).toContain(before);
			expect(frame).not.toContain('0123456789');
		};

		pressAction(terminal, 'servers', 'create');
		await screen.shows('Rent a server');
		terminal.type('sh');
		await screen.shows(/name +sh /);
		terminal.paste(lines.replaceAll('\n', ' '));
		await refused('sh');
		terminal.type('ort');
		await screen.sees(frame => expect(fieldRows(insideBox(frame), 'name').field).toMatch(/name +short +│$/));
		pressAction(terminal, 'form', 'cancel');
		await terminal.gone('Rent a server');

		for (const field of ['repl', 'assistant'] as const) {
			pressAction(terminal, 'anywhere', field);
			await screen.shows(field === 'repl' ? 'esc read the cells' : 'esc read the answers');
			terminal.type('typed before it');
			await screen.shows('typed before it');
			terminal.paste(lines.slice(0, 2_000_000));
			await refused('typed before it');
			terminal.type(' and behind it');
			await screen.shows('typed before it and behind it');
			// A paste of exactly the maximum length is inserted.
			terminal.paste(`${'x'.repeat(99_994)} whole`);
			await screen.shows('whole');
			await screen.frame();
			pressAction(terminal, 'always', 'interrupt');
			await screen.shows('Set aside: Up brings it back');
		}
		expect(screen.harm()).toEqual([]);
		expect(service.asked.filter(line => line.startsWith('POST'))).toEqual([]);
	},
);

test('a long paste full of Ctrl-C is text, regardless of how it is split', {tags: 'long'}, async () => {
	await using service = await startHostileService();
	await using screen = await openWatched(service);
	const {terminal} = screen;
	await screen.shows(/calm +\S ready/);
	pressAction(terminal, 'anywhere', 'repl');
	await screen.shows('esc read the cells');
	const code = 'print(1)\u0003\n\u0003';
	terminal.paste(`${code.repeat(20_000)}the end`);
	await terminal.untilTrue(
		'the refusal',
		() => terminal.line(screen.rows - 2).includes('Nothing was pasted'),
		60_000,
	);
	terminal.paste(`${code.repeat(5000)}the end`);
	await screen.shows('print(1)^C');
	await screen.shows('the end');
	terminal.press('left');
	await screen.frame();
	expect(service.asked.filter(line => line.startsWith('POST'))).toEqual([]);
	expect(screen.harm()).toEqual([]);
});

test('no character of a paste is taken for a key, inside and outside of fields', async () => {
	await using service = await startHostileService();
	await using screen = await openWatched(service, {columns: 150});
	const {terminal} = screen;
	await screen.shows(/calm +\S ready/);
	// A screen without a text field only shows a notice.
	for (const name of ['servers', 'compute', 'environments', 'files'] as const) {
		pressAction(terminal, 'anywhere', name);
		terminal.paste(`q${KEYS}y\n`);
		await screen.shows('There is no text field here to paste into');
	}
	pressAction(terminal, 'anywhere', 'servers');
	pressAction(terminal, 'servers', 'create');
	await screen.shows('Rent a server');
	terminal.paste(KEYS);
	await screen.sees(frame => expect(fieldRows(insideBox(frame), 'name').field).toContain(SHOWN.slice(0, 50)));
	pressAction(terminal, 'form', 'killToStart');
	terminal.paste('first\nsecond\r\nthird');
	await screen.sees(frame =>
		expect(fieldRows(insideBox(frame), 'name').field).toMatch(/name +first second third +│$/),
	);
	for (const field of ['environment', 'compute'] as const) {
		pressAction(terminal, 'form', 'next');
		terminal.paste(KEYS);
		await screen.sees(frame =>
			expect(fieldRows(insideBox(frame), field).field).toContain(SHOWN.slice(0, 50)),
		);
	}
	pressAction(terminal, 'form', 'next');
	await screen.shows('▸ port');
	const {field: before} = fieldRows(insideBox(await screen.frame()), 'port');
	terminal.paste(`9${KEYS}\n`);
	await screen.shows('digits only');
	expect(fieldRows(insideBox(await screen.frame()), 'port').field).toBe(before);
	pressAction(terminal, 'form', 'cancel');
	await terminal.gone('Rent a server');
	for (const field of ['repl', 'assistant'] as const) {
		pressAction(terminal, 'anywhere', field);
		await screen.shows(field === 'repl' ? 'esc read the cells' : 'esc read the answers');
		terminal.paste(`${KEYS.replaceAll('\t', '')}\nq`);
		await screen.sees(frame =>
			expect(screenOf(frame).replaceAll(/[\s│]/g, '')).toContain(SHOWN.replaceAll('^I', '').slice(0, 30)),
		);
	}
	expect(screen.harm()).toEqual([]);
	expect(service.asked.filter(line => line.startsWith('POST'))).toEqual([]);
});

test(
	'an unusable path is listed and refused with a message; a path outside is not listed',
	{tags: 'long'},
	async () => {
		const elsewhere = ['..', '../../../admin', 'a/../../b', '/', './'];
		const paths = ['a//b', 'c/./d', 'half \uD83D'];
		await using service = await startHostileService({
			file: ({path}) => inOneFolder([...elsewhere, ...paths], path),
		});
		await using screen = await openWatched(service, {columns: 96, rows: 30});
		const {terminal} = screen;
		await screen.shows(/calm +\S ready/);
		pressAction(terminal, 'global', 'files');
		await screen.sees(frame => expect(frame.some(row => row[0] === '▸')).toBe(true));
		const listed = screenOf(await screen.frame());
		for (const name of ['admin', 'a/..']) expect(listed).not.toContain(name);
		for (const [index] of paths.entries()) {
			if (index > 0) pressAction(terminal, 'tree', 'down');
			pressAction(terminal, 'tree', 'open');
			// The sentence about the previous file may still be visible.
			await screen.shows('esc tree');
			await screen.shows(/The path ".*" cannot be used: /);
			await screen.sees(frame => expect(frame.join('\n')).not.toMatch(/[")\w]\.\.\s*$/m));
			pressAction(terminal, 'viewer', 'tree');
			await screen.shows('⏎ open');
		}
		expect(service.asked.filter(line => line.includes('/files/'))).toEqual(['GET /api/servers/calm/files/']);
		expect(service.strays).toEqual([]);
	},
);
