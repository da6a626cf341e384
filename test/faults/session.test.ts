// @module-tag long
import {expect, test, vi} from 'vitest';
import {block, label, output} from '../../src/text/safe.ts';
import {cellWidth} from '../../src/text/width/width.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome} from '../support/program.ts';
import {beginning, insideBox} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {executedCell, startHostileService, success} from './hostile-service.ts';
import {readPages} from './pages.ts';
import {followsIn, inOrder, MAIN, paneText, placeOf, SIZE, squeezed, toTop} from './panes.ts';
import {noticeOf, openWatched, screenOf, type Frame, type WatchedScreen} from './watched-screen.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

/** Texts that can be pasted as one line of code. */
const TEXTS = CASES.map(text => text.slice(0, 300)).filter(
	text => text !== '' && !/[\r\n]|\u001B\[20[01]~/.test(text) && text.isWellFormed(),
);
const GROUPS = Array.from({length: Math.ceil(TEXTS.length / 8)}, (_, index) =>
	TEXTS.slice(index * 8, index * 8 + 8),
);

const inside = (frame: Frame): string =>
	insideBox(frame)
		.slice(1)
		.map(row => row.slice(1, -1))
		.join('\n');
/** All rows of a chooser, page by page. */
const readChooser = async (screen: WatchedScreen, last: string): Promise<string> => {
	const pages: string[] = [];
	while (!pages.at(-1)?.includes(last)) {
		if (pages.length > 0) pressAction(screen.terminal, 'chooser', 'pageDown');
		pages.push(inside(await screen.sees(frame => expect(inside(frame)).not.toBe(pages.at(-1)))));
	}
	return pages.join('\n');
};

test(`${TEXTS.length} texts as code and its output, stored on disk: in the cells of the next program, in the list of earlier code, in searches, as files to open, and in the name of an exported session`, async () => {
	await using home = await newHome();
	await using service = await startHostileService({
		run({body}) {
			const {code} = JSON.parse(body) as {readonly code: string};
			const places = code
				.split('\n')
				.map(line => `  File "${line.slice(2)}", line 3\n`)
				.join('');
			return success({
				content: executedCell(code, [
					{output_type: 'stream', name: 'stdout', text: `printed ${code}\n${places}`},
				]),
			});
		},
	});
	{
		await using screen = await openWatched(service, {...SIZE, home});
		const {terminal} = screen;
		await screen.shows(/calm +\S ready/);
		pressAction(terminal, 'global', 'repl');
		await screen.shows('esc read the cells');
		for (const [index, group] of GROUPS.entries()) {
			terminal.paste([`# group ${index}.`, ...group.map(text => `# ${text}`)].join('\n'));
			pressAction(terminal, 'repl', 'run');
			await screen.shows(`printed # group ${index}.`);
		}
		pressAction(terminal, 'anywhere', 'servers');
		pressAction(terminal, 'global', 'quit');
		await terminal.exit;
		expect(screen.harm()).toEqual([]);
	}
	await using screen = await openWatched(service, {...SIZE, home});
	const {terminal} = screen;
	await screen.shows(/calm +\S ready/);
	pressAction(terminal, 'global', 'repl');
	await screen.shows(`printed # group ${GROUPS.length - 1}.`);
	pressAction(terminal, 'repl', 'leave');
	await screen.shows('⏎ type code');
	await toTop(screen, MAIN, 'cells', /── earlier, /);
	const cells = squeezed(
		await readPages(screen, {
			from: MAIN.x,
			to: MAIN.x + MAIN.width,
			place: placeOf(MAIN),
			next: () => pressAction(terminal, 'cells', 'pageDown'),
			follows: followsIn(MAIN),
			check: inOrder,
		}),
	);
	for (const text of TEXTS) {
		expect(cells, JSON.stringify(text)).toContain(squeezed(beginning(block(`# ${text}`), 40)));
		const printed = output(`# ${text}`, {colour: false}).text;
		if (!/[\b]/.test(text)) expect(cells, JSON.stringify(text)).toContain(squeezed(beginning(printed, 30)));
	}

	// Texts that are searched for, one after the other.
	for (const text of TEXTS.filter((_, index) => index % 6 === 0)) {
		pressAction(terminal, 'cells', 'find');
		pressAction(terminal, 'cellFind', 'killToStart');
		terminal.paste(text);
		await screen.sees(frame => {
			inOrder(frame);
			// The field shows the end of a long text.
			expect(paneText(frame, MAIN)).toContain(
				`── / ${cellWidth(block(text)) < 28 ? block(text) : ''}`.trimEnd(),
			);
		});
		pressAction(terminal, 'cellFind', 'accept');
		inOrder(await screen.frame());
	}

	pressAction(terminal, 'cells', 'last');
	pressAction(terminal, 'cells', 'place');
	await screen.shows('╭ Open ─');
	const [first = '', , third = ''] = GROUPS.at(-1) ?? [];
	const places = await readChooser(screen, beginning(label(`${first}:3`), 30));
	expect(places).toContain(beginning(label(`${third}:3`), 30));
	pressAction(terminal, 'chooser', 'accept');
	await screen.shows('esc tree');
	pressAction(terminal, 'anywhere', 'repl');
	await screen.shows('⏎ type code');
	pressAction(terminal, 'cells', 'edit');
	await screen.shows('esc read the cells');
	pressAction(terminal, 'repl', 'search');
	await screen.shows('╭ Earlier code');
	const codes = await readChooser(screen, '# group 0.');
	for (const [index, [text = '']] of GROUPS.entries())
		expect(codes).toContain(beginning(label(`# group ${index}. ↵ # ${text}`, 300), 40));
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('╭');

	pressAction(terminal, 'repl', 'leave');
	await screen.shows('⏎ type code');
	for (const text of TEXTS.filter(each => !each.includes('/')).filter((_, index) => index % 8 === 0)) {
		pressAction(terminal, 'cells', 'save');
		await screen.shows('╭ Write the session');
		terminal.paste(`${text}.md`);
		await screen.sees(frame => expect(inside(frame)).toContain(beginning(label(`${text}.md`.trim()), 40)));
		pressAction(terminal, 'chooser', 'accept');
		// Either the file is written, or this machine does not accept its name.
		await screen.sees(frame => {
			inOrder(frame);
			expect(noticeOf(frame)).toMatch(/^ [◇✓✗] /);
			expect(screenOf(frame)).not.toContain('╭');
		});
	}
	expect(screen.harm()).toEqual([]);
	expect(service.strays).toEqual([]);
});
