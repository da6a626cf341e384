// @module-tag long
import {expect, test, vi} from 'vitest';
import {block, label} from '../../src/text/safe.ts';
import {pressAction} from '../support/press-action.ts';
import {asReason, beginning, insideBox} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {
	fileEntry,
	folderEntry,
	inOneFolder,
	json,
	startHostileService,
	success,
	type Answer,
} from './hostile-service.ts';
import {readPages} from './pages.ts';
import {asListed, inOrder, MAIN, openFiles, paneText, SIZE, squeezed} from './panes.ts';
import {openWatched, screenOf, type Frame, type WatchedScreen} from './watched-screen.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

/** Texts cut to a length that suffices for the checks. */
const TEXTS = CASES.map(text => text.slice(0, 300));
const ofFile = (
	path: string,
	file: Readonly<Record<string, unknown>>,
): {readonly file: (asked: {readonly path: string}) => Answer} => ({
	file: asked =>
		success({content: asked.path === '' ? folderEntry('', [fileEntry(path)]) : fileEntry(path, file)}),
});

const openFile = async (screen: WatchedScreen, path: string, shown: RegExp): Promise<void> => {
	await openFiles(screen);
	await screen.shows(path);
	pressAction(screen.terminal, 'tree', 'open');
	await screen.sees(frame => expect(paneText(frame, MAIN)).toMatch(shown));
};

/**
 * All rows of the viewer, page by page. If text is wider than the pane, they are read again
 * scrolled sideways.
 */
const readViewer = async (screen: WatchedScreen, last: string): Promise<string> =>
	readPages(screen, {
		from: MAIN.x,
		to: MAIN.x + MAIN.width,
		place: frame => (paneText(frame, MAIN).includes(last) ? undefined : paneText(frame, MAIN)),
		next: () => pressAction(screen.terminal, 'viewer', 'pageDown'),
		check: inOrder,
	});

const END = 'the very end';

const NOTEBOOK = {
	nbformat: 4,
	nbformat_minor: 5,
	metadata: Object.fromEntries(TEXTS.map(text => [text, {[text]: text}])),
	cells: [
		...TEXTS.flatMap((text, index) => [
			{
				cell_type: 'code',
				id: text,
				execution_count: index,
				metadata: {[text]: text, tags: [text]},
				source: [`# ${text}\n`, '1'],
				outputs:
					index % 2 === 0
						? [
								{output_type: 'stream', name: text, text: [text, '\n']},
								{output_type: text, [text]: text},
								{
									output_type: 'display_data',
									metadata: {[text]: text},
									data: {
										'text/html': `<table><tr><th>${text}</th></tr><tr><td>${text}</td></tr></table>`,
										'text/plain': text,
										[text]: text,
									},
								},
							]
						: [
								{output_type: 'error', ename: text, evalue: text, traceback: [text]},
								{
									output_type: 'display_data',
									metadata: {},
									data: {'image/png': text, 'image/svg+xml': text, 'application/json': {[text]: [text]}},
								},
							],
			},
			index % 3 === 0
				? {cell_type: text, metadata: {}, source: text}
				: {
						cell_type: 'markdown',
						metadata: {},
						source: `* ${text}\n\n| ${text} | [${text}](${text}) |\n|-|-|`,
					},
		]),
		{cell_type: 'raw', metadata: {}, source: END},
	],
};

/**
 * Views of a file: its name, its content, words in the viewer's title, and the part of a text that
 * is visible.
 */
const VIEWS: Readonly<
	Record<
		string,
		readonly [
			path: string,
			file: Readonly<Record<string, unknown>>,
			title: RegExp,
			seen: ((text: string) => string) | null,
		]
	>
> = {
	'a notebook: its code, outputs of every kind, markdown, metadata and cells of no known kind': [
		'a.ipynb',
		{type: 'notebook', format: 'json', content: NOTEBOOK},
		/r run, v source/,
		text => beginning(block(`# ${text}`.split('\n', 1)[0] ?? ''), 30),
	],
	markdown: [
		'a.md',
		{
			content: [
				...TEXTS.map(
					text =>
						`## ${text}\n\n> ${text}\n\n1. ${text}\n\n\`\`\`${text.split(/[\n`]/, 1)[0]}\n${text}\n\`\`\`\n`,
				),
				END,
			].join('\n'),
		},
		/rendered, v source/,
		null,
	],
	'fields of a table': [
		'a.csv',
		{
			content: [
				...TEXTS.map((text, index) => `"${text.replaceAll('"', '""').replaceAll(/[\r\n]/g, ' ')}",${index}`),
				`${END},1`,
			].join('\n'),
		},
		/columns, t table, v source/,
		text => beginning(label(text.replaceAll(/[\r\n]/g, ' '), 60), 30),
	],
	'names and values of JSON': [
		'a.json',
		{content: JSON.stringify({...Object.fromEntries(TEXTS.map(text => [text, [text]])), end: END})},
		/folded/,
		text => beginning(label(JSON.stringify(text)), 30),
	],
};

test.each(Object.entries(VIEWS))(
	`${CASES.length} texts in %s, formatted and raw`,
	async (_, [path, file, title, seen]) => {
		await using service = await startHostileService(ofFile(path, file));
		await using screen = await openWatched(service, SIZE);
		const {terminal} = screen;
		await openFile(screen, path, title);
		// Only two levels are unfolded at first.
		if (path.endsWith('.json'))
			for (let level = 0; level < 4; level++) pressAction(terminal, 'viewer', 'foldLess');
		// Markdown is formatted a moment later, at the latest when the end of the file is shown.
		pressAction(terminal, 'viewer', 'last');
		await screen.sees(frame => expect(paneText(frame, MAIN)).toContain(END));
		pressAction(terminal, 'viewer', 'first');
		await screen.sees(frame => expect(paneText(frame, MAIN)).toMatch(/ 1\/\d+ /));
		const shown = squeezed(await readViewer(screen, END));
		expect(shown).not.toContain(squeezed('the picture is being read'));
		if (seen) for (const text of TEXTS) expect(shown, JSON.stringify(text)).toContain(squeezed(seen(text)));
		if (path.endsWith('.csv')) {
			pressAction(terminal, 'viewer', 'table');
			await screen.shows('P chart');
			for (const action of [
				'pageDown',
				'pageDown',
				'pageDown',
				'sort',
				'facts',
				'right',
				'last',
				'close',
			] as const)
				pressAction(terminal, 'tableRows', action);
			await screen.shows('@ ask');
		}
		pressAction(terminal, 'viewer', 'right');
		pressAction(terminal, 'viewer', 'first');
		for (const action of ['pageDown', 'raw', 'first', 'pageDown', 'wrap', 'pageDown', 'last'] as const) {
			pressAction(terminal, 'viewer', action);
			inOrder(await screen.frame());
		}
		expect(screen.harm()).toEqual([]);
		expect(service.strays).toEqual([]);
	},
);

test(`${CASES.length} texts as bytes of a binary file and of a broken picture: in the header of the hexadecimal view`, async () => {
	const bytes = Buffer.from(TEXTS.join('\n'));
	const entry = (path: string) =>
		fileEntry(path, {
			format: 'base64',
			mimetype: CASES.join(' ').slice(0, 4000),
			size: bytes.length,
			content: bytes.toString('base64'),
		});
	await using service = await startHostileService({
		file: ({path}) =>
			success({content: path === '' ? folderEntry('', [entry('a.bin'), entry('b.png')]) : entry(path)}),
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await openFile(screen, 'a.bin', /is not text but/);
	for (let page = 0; page < 12; page++) {
		pressAction(terminal, 'viewer', 'pageDown');
		inOrder(await screen.frame());
	}
	pressAction(terminal, 'viewer', 'tree');
	await screen.shows('⏎ open');
	pressAction(terminal, 'tree', 'down');
	pressAction(terminal, 'tree', 'open');
	await screen.sees(frame => {
		inOrder(frame);
		expect(paneText(frame, MAIN)).toMatch(/The picture cannot be shown[^]*is not text but/);
	});
	expect(screen.harm()).toEqual([]);
});

/** Texts that can be pasted into one line. */
const WORDS = TEXTS.filter(
	text => text !== '' && !/[\r\n]|\u001B\[20[01]~/.test(text) && text.isWellFormed(),
);

test(`${WORDS.length} texts pasted after / in a file: each is in the field, and is found at its position`, async () => {
	await using service = await startHostileService(
		ofFile('a.txt', {content: `first\n${WORDS.join('\n')}\n${END}`}),
	);
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await openFile(screen, 'a.txt', / 1\/\d+ /);
	pressAction(terminal, 'viewer', 'find');
	for (const text of WORDS) {
		terminal.paste(text);
		await screen.sees(frame => {
			inOrder(frame);
			expect(paneText(frame, MAIN)).toMatch(/─ \/ .* \d+\/\d+ +a\.txt/);
		});
		pressAction(terminal, 'find', 'killToStart');
		await screen.sees(frame => expect(paneText(frame, MAIN)).not.toMatch(/─ \/ .* \d+\/\d+ +a\.txt/));
	}
	expect(screen.harm()).toEqual([]);
});

test(`${CASES.length} texts as lines that another has written to the open file: in the difference, and why it cannot be asked for`, async () => {
	let content = 'before\n';
	await using service = await startHostileService({
		file: ({path}) =>
			success({content: path === '' ? folderEntry('', [fileEntry('a.txt')]) : fileEntry(path, {content})}),
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await openFile(screen, 'a.txt', /before/);
	content = `${TEXTS.join('\n')}\n${END}\n`;
	pressAction(terminal, 'viewer', 'compare');
	await screen.shows("from the shown version to the server's");
	const inside = (frame: Frame): string =>
		insideBox(frame)
			.slice(1)
			.map(row => row.slice(1, -1))
			.join('\n');
	const shown = squeezed(
		await readPages(screen, {
			from: 0,
			to: screen.columns,
			place: frame => (inside(frame).includes(END) ? undefined : inside(frame)),
			next: () => pressAction(terminal, 'reader', 'pageDown'),
			check: frame => void inside(frame),
		}),
	);
	for (const text of TEXTS)
		expect(shown, JSON.stringify(text)).toContain(
			squeezed(beginning(`+ ${block((text.split('\n', 1)[0] ?? '').replace(/\r$/, ''))}`, 30)),
		);
	pressAction(terminal, 'reader', 'close');
	await terminal.gone('from the shown version');
	for (const [index, text] of WORDS.filter((_, at) => at % 6 === 0).entries()) {
		const marked = `#${index + 1} ${text}`;
		service.answer({file: () => json({message: marked}, 500)});
		pressAction(terminal, 'viewer', 'compare');
		await screen.sees(frame =>
			expect(screenOf(frame)).toContain(beginning(`failed (500): ${label(asReason(marked))}`, 40)),
		);
	}
	expect(screen.harm()).toEqual([]);
});

test(`${CASES.length} texts as paths to choose from in the path box and as names that the filter of the tree looks through`, async () => {
	await using service = await startHostileService({
		file: ({path}) =>
			inOneFolder(
				TEXTS.map(text => `x${text}`),
				path,
			),
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await openFiles(screen);
	pressAction(terminal, 'tree', 'path');
	await screen.shows('╭ Go to a path');
	const inside = (frame: Frame): string =>
		insideBox(frame)
			.slice(1)
			.map(row => row.slice(1, -1))
			.join('\n');
	let shown = '';
	const last = beginning(label(asListed(TEXTS.map(text => `x${text}`)).at(-1) ?? ''), 40);
	for (let page = ''; !page.includes(last);) {
		page = inside(await screen.sees(frame => expect(inside(frame)).not.toBe(page)));
		shown += `\n${page}`;
		pressAction(terminal, 'chooser', 'pageDown');
	}
	for (const text of TEXTS) expect(shown, JSON.stringify(text)).toContain(beginning(label(`x${text}`), 40));
	for (const text of WORDS.filter((_, index) => index % 4 === 0)) {
		terminal.paste(`x${text}`);
		await screen.sees(frame => expect(inside(frame)).toContain(beginning(label(`x${text}`.trim()), 40)));
		pressAction(terminal, 'chooser', 'killToStart');
	}
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('╭');
	pressAction(terminal, 'tree', 'filter');
	for (const text of WORDS.filter((_, index) => index % 4 === 1)) {
		terminal.paste(text);
		await screen.sees(frame => {
			inOrder(frame);
			expect(paneText(frame, MAIN)).toContain(beginning(label(`x${text}`), MAIN.width - 30));
		});
		pressAction(terminal, 'filter', 'killToStart');
	}
	expect(screen.harm()).toEqual([]);
	expect(service.strays).toEqual([]);
});
