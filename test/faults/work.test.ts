// @module-tag long
import {expect, test, vi} from 'vitest';
import {block, label, output} from '../../src/text/safe.ts';
import {nameOf} from '../../src/contract/paths.ts';
import {pressAction} from '../support/press-action.ts';
import {asReason, beginning} from './columns.ts';
import {CASES, packs} from './hostile-cases.ts';
import {
	executedCell,
	fileEntry,
	folderEntry,
	json,
	startHostileService,
	stream,
	success,
	type Answer,
} from './hostile-service.ts';
import {readPages} from './pages.ts';
import {
	asListed,
	canBeAsked,
	DONE,
	followsIn,
	inOrder,
	MAIN,
	openAssistant,
	openFiles,
	paneText,
	placeOf,
	readFromTop,
	readTurns,
	SIZE,
	squeezed,
	toTop,
} from './panes.ts';
import {openWatched, textOf, type Frame} from './watched-screen.ts';

/** Width of a tree that covers the left edge of an open file, in cells. */
const TREE = 30;

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

test(`${CASES.length} texts as name, path, content and media type of a file: in the tree, in the viewer's title, in the viewer and in the replacement of a binary file`, async () => {
	let isText = true;
	await using service = await startHostileService({
		file({path}) {
			if (path === '')
				return success({
					content: folderEntry(
						'',
						CASES.map(text => fileEntry(text, {name: text})),
					),
				});
			return success({
				content: isText
					? fileEntry(path, {content: `${path}\nlast line\n`})
					: fileEntry(path, {name: path, mimetype: path, format: 'base64', content: 'AA=='}),
			});
		},
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await openFiles(screen);
	const names = asListed(CASES);
	const seesRow = async (text: string, width: number): Promise<Frame> =>
		screen.sees(frame => {
			inOrder(frame);
			expect(
				frame.map(cells => textOf(cells.slice(0, width))).find(cells => cells.startsWith('▸')),
			).toContain(beginning(label(text), width - 14));
		});
	// The tree has the whole width; with an open file it only covers the left edge.
	for (const text of names) {
		await seesRow(text, MAIN.width);
		if (text !== names.at(-1)) pressAction(terminal, 'tree', 'down');
	}
	pressAction(terminal, 'tree', 'first');
	let width = MAIN.width;
	for (const text of names) {
		const open = async (check: (pane: string) => void): Promise<void> => {
			await seesRow(text, width);
			pressAction(terminal, 'tree', 'open');
			await screen.sees(frame => {
				inOrder(frame);
				expect(paneText(frame, MAIN)).toContain(beginning(`─ ${label(text)} `, MAIN.width - 20));
				check(paneText(frame, MAIN));
			});
			pressAction(terminal, 'viewer', 'tree');
			width = TREE;
		};
		isText = true;
		if (canBeAsked(text)) {
			await open(pane => {
				expect(pane).toMatch(/ \d+ {2}last line/);
				expect(squeezed(pane)).toContain(squeezed(beginning(block(text.split('\n', 1)[0] ?? ''), 50)));
			});
			isText = false;
			await open(pane =>
				expect(squeezed(pane)).toContain(
					squeezed(
						beginning(
							`  ${label(nameOf(text))} is not text but ${label(text, 60)}, 6 bytes.`,
							MAIN.width - 1,
						),
					),
				),
			);
		} else {
			await open(pane => expect(pane).toMatch(/cannot\s+be\s+used:\s+\S/));
		}
		if (text !== names.at(-1)) pressAction(terminal, 'tree', 'down');
	}
	expect(screen.harm()).toEqual([]);
	expect(service.strays).toEqual([]);
});

test(`${CASES.length} texts as name of a folder and as why it cannot be listed: in the tree`, async () => {
	await using service = await startHostileService({
		file: ({path}) =>
			path === ''
				? success({
						content: folderEntry(
							'',
							CASES.map(text => folderEntry(text, [])),
						),
					})
				: json({message: path}, 500),
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await openFiles(screen);
	const names = asListed(CASES);
	for (const text of names) {
		pressAction(terminal, 'tree', 'open');
		await screen.sees(frame => {
			inOrder(frame);
			const row = frame.map(cells => textOf(cells.slice(0, MAIN.width))).find(cells => cells.startsWith('▸'));
			expect(row).toMatch(canBeAsked(text) ? /127\.0\.0\.1:\d+ failed \(500\)/ : /The path "/);
			expect(row).toContain(beginning(label(text), MAIN.width - 48));
		});
		if (text !== names.at(-1)) pressAction(terminal, 'tree', 'down');
	}
	expect(screen.harm()).toEqual([]);
});

test(`${CASES.length} texts as lines of a file: page by page, to the side, and wrapped`, async () => {
	// Lines are cut, because the pages of a very long line look alike.
	const lines = CASES.flatMap(text => text.split('\n')).map(line => line.slice(0, 800));
	await using service = await startHostileService({
		file: ({path}) =>
			success({
				content:
					path === ''
						? folderEntry('', [fileEntry('lines.txt')])
						: fileEntry(path, {content: lines.join('\n')}),
			}),
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await openFiles(screen);
	await screen.shows('lines.txt');
	pressAction(terminal, 'tree', 'open');
	await screen.shows(` 1/${lines.length} `);
	const pages = {
		from: MAIN.x,
		to: MAIN.x + MAIN.width,
		// A line of a file may have more rows than the viewer.
		place: (frame: Frame) =>
			new RegExp(`^ +${lines.length}(?: |$)`, 'm').test(paneText(frame, MAIN))
				? undefined
				: paneText(frame, MAIN),
		next: () => pressAction(terminal, 'viewer', 'pageDown'),
		check: inOrder,
	};
	const shown = await readPages(screen, pages);
	for (const line of lines) expect(shown).toContain(beginning(block(line.replace(/\r$/, '')), 50));
	pressAction(terminal, 'viewer', 'right');
	await screen.shows('col 9 ');
	pressAction(terminal, 'viewer', 'first');
	await screen.shows(` 1/${lines.length} `);
	await readPages(screen, pages);
	pressAction(terminal, 'viewer', 'wrap');
	await screen.sees(frame => expect(paneText(frame, MAIN)).not.toContain('col 9 '));
	pressAction(terminal, 'viewer', 'first');
	await screen.shows(` 1/${lines.length} `);
	const wrapped = squeezed(await readPages(screen, pages));
	for (const line of lines)
		expect(wrapped).toContain(squeezed(beginning(block(line.replace(/\r$/, '')), 30)));
	expect(screen.harm()).toEqual([]);
});

/** Output of every kind, each with one text. */
const OUTPUTS = {
	// Texts are on separate lines, because a carriage return would overwrite the previous text.
	'what code printed': text => ({output_type: 'stream', name: 'stdout', text: `${text}\n`}),
	'what code complained': text => ({output_type: 'stream', name: 'stderr', text: `${text}\n`}),
	'a result': text => ({
		output_type: 'execute_result',
		execution_count: 1,
		data: {'text/plain': text, [text]: text},
		metadata: {},
	}),
	'something to display': text => ({
		output_type: 'display_data',
		data: {'text/plain': [text, text]},
		metadata: {[text]: text},
	}),
	'a traceback': text => ({output_type: 'error', ename: text, evalue: text, traceback: [text, text]}),
	'an error without a traceback': text => ({output_type: 'error', ename: text, evalue: text}),
	'an output of an unknown kind': text => ({output_type: text, [text]: text}),
	'a table of HTML': text => ({
		output_type: 'display_data',
		data: {
			'text/html': `<table><tr><th>head</th><th>${text}</th></tr><tr><td title="${text}">${text}</td><td>cell</td></tr></table><p>${text}`,
			'text/plain': text,
		},
		metadata: {},
	}),
	JSON: text => ({
		output_type: 'execute_result',
		execution_count: 1,
		data: {'application/json': {[text]: [text]}},
		metadata: {},
	}),
	'a picture that is none, SVG and LaTeX': text => ({
		output_type: 'display_data',
		data: {'image/png': text, 'image/svg+xml': `<svg><title>${text}</title></svg>`, 'text/latex': text},
		metadata: {'image/png': {width: text, height: text}},
	}),
} satisfies Record<string, (text: string) => Record<string, unknown>>;

/** The part of a text that the REPL shows, without colours: the start of its longest line. */
const expected = (kind: keyof typeof OUTPUTS, text: string): string => {
	const whole =
		kind === 'an error without a traceback'
			? `${text}: ${text}`
			: kind === 'something to display'
				? text + text
				: // LaTeX is trimmed before it is shown.
					kind === 'a picture that is none, SVG and LaTeX'
					? text.trim()
					: text;
	if (kind === 'JSON') return squeezed(beginning(block(JSON.stringify(text)), 30));
	// Text that resembles markup is parsed as markup, and several spaces become one.
	if (kind === 'a table of HTML')
		return /[<&]/.test(text) ? '' : squeezed(beginning(label(text.trim().replaceAll(/\s+/g, ' '), 400), 15));
	const safe =
		kind === 'an output of an unknown kind' ? label(text, 40) : output(whole, {colour: false}).text;
	return squeezed(beginning(safe.split('\n').toSorted((a, b) => b.length - a.length)[0] ?? '', 40));
};

test(`${CASES.length} texts as ${Object.keys(OUTPUTS).join(', ')}: in the REPL`, async () => {
	const kinds = Object.keys(OUTPUTS) as (keyof typeof OUTPUTS)[];
	await using service = await startHostileService({
		run({body}) {
			const {code} = JSON.parse(body) as {readonly code: string};
			return success({
				content: executedCell(code, [
					...CASES.map((text): Record<string, unknown> => OUTPUTS[kinds[Number(code)] ?? 'a result'](text)),
					{output_type: 'stream', name: 'stdout', text: `end of ${code}`},
				]),
			});
		},
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await screen.shows(/calm +\S ready/);
	pressAction(terminal, 'global', 'repl');
	await screen.shows('esc read the cells');
	for (const index of kinds.keys()) {
		terminal.type(String(index));
		pressAction(terminal, 'repl', 'run');
		await screen.shows(`end of ${index}`);
	}
	pressAction(terminal, 'repl', 'leave');
	await screen.shows('⏎ type code');
	for (const _ of kinds) {
		pressAction(terminal, 'cells', 'fold');
		pressAction(terminal, 'cells', 'previous');
	}
	await screen.shows('This is the first cell');
	await toTop(screen, MAIN, 'cells', /^.\[1] +0\s/);
	const shown = await readPages(screen, {
		from: MAIN.x,
		to: MAIN.x + MAIN.width,
		place: placeOf(MAIN),
		next: () => pressAction(terminal, 'cells', 'pageDown'),
		follows: followsIn(MAIN),
		check: inOrder,
	});
	const cells = shown.split(/[ ▌]\[1] +/).map(squeezed);
	for (const [index, kind] of kinds.entries()) {
		for (const text of CASES)
			expect(
				cells.filter(cell => cell.startsWith(String(index))).join(''),
				`${kind}: ${JSON.stringify(text)}`,
			).toContain(expected(kind, text));
	}
	expect(screen.harm()).toEqual([]);
});

/** Bytes in pieces of one to three, so that escapes and characters are cut anywhere. */
const inPieces = (text: string): readonly Buffer[] => {
	const bytes = Buffer.from(text);
	const pieces: Buffer[] = [];
	for (let at = 0, size = 1; at < bytes.length; at += size, size = (size % 3) + 1)
		pieces.push(bytes.subarray(at, at + size));
	return pieces;
};

const expectAll = (shown: string): void => {
	const seen = squeezed(shown);
	for (const text of CASES) {
		// Markdown treats a carriage return as a line end.
		const longest =
			block(text.replaceAll(/\r\n?/g, '\n'))
				.split('\n')
				.toSorted((a, b) => b.length - a.length)[0] ?? '';
		expect(seen, JSON.stringify(text)).toContain(squeezed(beginning(longest, 40)));
	}
};

test.each([
	[
		'whole fragments',
		(lines: readonly string[]) =>
			stream('f:{"messageId":"m"}', ...lines.map(text => `0:${JSON.stringify(`${text}\n`)}`), DONE),
	],
	[
		'fragments of one character',
		(lines: readonly string[]) =>
			stream(
				'f:{"messageId":"m"}',
				...lines.flatMap(text =>
					[...text.slice(0, 400).split(''), '\n'].map(unit => `0:${JSON.stringify(unit)}`),
				),
				DONE,
			),
	],
	[
		'bytes cut within escapes and characters',
		(lines: readonly string[]) => ({
			type: 'text/plain',
			body: inPieces(
				`f:{"messageId":"m"}\n${lines.map(text => `0:${JSON.stringify(`${text.slice(0, 400)}\n`).replaceAll('\\u001b', '\\u001B')}\n`).join('')}${DONE}\n`,
			),
		}),
	],
] as const)(
	`${CASES.length} texts as an answer of the assistant, in %s`,
	async (_, answer: (lines: readonly string[]) => Answer) => {
		// A code block shows each text exactly; the text after the block may be parsed as markup.
		await using service = await startHostileService({
			chat: () => answer(['~~~~text', ...CASES, '~~~~', ...CASES]),
		});
		await using screen = await openWatched(service, SIZE);
		const {terminal} = screen;
		await openAssistant(screen);
		terminal.type('ask');
		pressAction(terminal, 'assistant', 'send');
		await screen.shows('1 in · 2 out');
		// Formatted as markdown, every page is in order; as raw text, every text is present.
		await readTurns(screen);
		pressAction(terminal, 'turns', 'raw');
		await screen.shows('as it was sent');
		expectAll(await readFromTop(screen));
		expect(screen.harm()).toEqual([]);
	},
);

test(`${CASES.length} texts as questions, and as the assistant's own errors instead of an answer, within one and behind one`, async () => {
	const groups = packs(300).map(pack => pack.slice(0, 1500));
	let asked = 0;
	await using service = await startHostileService({
		chat() {
			const error = `3:${JSON.stringify(`error ${asked + 1} ${groups[asked]}`)}`;
			return (
				[
					stream(error),
					stream('0:"half"', error, '0:"rest"'),
					stream('f:{"messageId":"m"}', '0:"whole"', error, DONE),
				][asked++ % 3] ?? stream(error)
			);
		},
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await openAssistant(screen);
	for (const [index, group] of groups.entries()) {
		// The question starts with a marker, because the pasted text may start with anything.
		// Terminals remove the end mark of a paste.
		terminal.paste(`question ${index + 1} ${group.replaceAll(/\u001B\[20[01]~/g, '').toWellFormed()}`);
		pressAction(terminal, 'assistant', 'send');
		await screen.sees(frame => {
			inOrder(frame);
			const pane = paneText(frame, MAIN);
			expect(pane).toMatch(new RegExp(`^   error ${index + 1}(?: |$)`, 'm'));
			expect(pane).toMatch(/^ ›$/m);
			expect(pane).not.toContain(' answering ');
		});
	}
	const shown = squeezed(await readTurns(screen));
	for (const [index, group] of groups.entries()) {
		expect(shown).toContain(
			squeezed(
				beginning(
					block(
						`question ${index + 1} ${group.replaceAll(/\u001B\[20[01]~/g, '').toWellFormed()}`.replaceAll(
							/\r\n?/g,
							'\n',
						),
					).split('\n', 1)[0] ?? '',
					40,
				),
			),
		);
		expect(shown).toContain(squeezed(beginning(label(asReason(`error ${index + 1} ${group}`), 600), 40)));
	}
	expect(screen.harm()).toEqual([]);
});
