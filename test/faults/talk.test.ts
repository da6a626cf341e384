// @module-tag long
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {block, label} from '../../src/text/safe.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, type Home} from '../support/program.ts';
import {beginning, insideBox} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {inOneFolder, startHostileService, stream} from './hostile-service.ts';
import {
	asListed,
	canBeAsked,
	DONE,
	inOrder,
	openAssistant,
	paneText,
	readFromTop,
	readTurns,
	MAIN,
	SIZE,
	squeezed,
} from './panes.ts';
import {noticeOf, openWatched, screenOf, type Frame, type WatchedScreen} from './watched-screen.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

const TEXTS = CASES.map(text => text.slice(0, 300));
/** Texts that can be typed or pasted into one line. */
const WORDS = TEXTS.filter(
	text => text !== '' && !/[\r\n]|\u001B\[20[01]~/.test(text) && text.isWellFormed(),
);

/** Markdown of every kind around a text. */
const BLOCKS: Readonly<Record<string, (text: string) => string>> = {
	'headings and a rule': text => `# ${text}\n\n${text}\n===\n\n---\n`,
	'lists in lists': text => `* ${text}\n  1. ${text}\n     - [x] ${text}\n`,
	quotes: text => `> ${text}\n> > ${text}\n`,
	'fences and their info strings': text => `\`\`\`${text}\n${text}\n\`\`\`\n`,
	tables: text => `| ${text} | n |\n|:-:|--:|\n| ${text} | **${text}** |\n`,
	'links and pictures': text =>
		`[${text}](${text}) ![${text}](${text} "${text}") <https://e.test/${text}> [r]\n\n[r]: ${text} "${text}"\n`,
	'emphasis, code, markup and entities': text =>
		`*${text}* **${text}** ~~${text}~~ \`${text}\` <b title="${text}">${text}</b> &#27;[2J&#x9b;2J\n`,
};

test(`${CASES.length} texts in an answer's ${Object.keys(BLOCKS).join(', ')}: formatted`, async () => {
	const kinds = Object.entries(BLOCKS);
	let asked = 0;
	await using service = await startHostileService({
		chat() {
			const [, wrap = (text: string) => text] = kinds[asked++ % kinds.length] ?? [];
			return stream(
				'f:{"messageId":"m"}',
				...TEXTS.map((text, index) => `0:${JSON.stringify(`${wrap(text)}\n@${index}.\n\n`)}`),
				DONE,
			);
		},
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await openAssistant(screen);
	for (const [index] of kinds.entries()) {
		terminal.type(`kind ${index}`);
		pressAction(terminal, 'assistant', 'send');
		await screen.sees(frame => {
			inOrder(frame);
			expect(paneText(frame, MAIN)).toMatch(new RegExp(`${TEXTS.length - 1}\\.[^]*1 in · 2 out`));
			expect(paneText(frame, MAIN)).toMatch(/^ ›$/m);
		});
		pressAction(terminal, 'assistant', 'leave');
		await screen.shows('⏎ ask');
		const shown = squeezed(await readFromTop(screen));
		// Other texts remain; only an unclosed code block contains the text after it.
		expect(TEXTS.filter((_, at) => !shown.includes(`@${at}.`))).toEqual([]);
		pressAction(terminal, 'turns', 'edit');
		await screen.shows('esc read the answers');
		terminal.type('/new');
		pressAction(terminal, 'assistant', 'send');
		await screen.sees(frame => expect(paneText(frame, MAIN)).not.toContain('1 in ·'));
	}
	expect(screen.harm()).toEqual([]);
});

test(`${CASES.length} texts as finish reason and usage of an answer`, async () => {
	let asked = 0;
	await using service = await startHostileService({
		chat() {
			const text = TEXTS[asked++] ?? '';
			return stream(
				`f:${JSON.stringify({messageId: text})}`,
				'0:"so"',
				`d:${JSON.stringify({finishReason: text, usage: {promptTokens: asked, completionTokens: 2, [text]: text}})}`,
			);
		},
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await openAssistant(screen);
	for (const [index] of TEXTS.entries()) {
		terminal.type('a');
		pressAction(terminal, 'assistant', 'send');
		await screen.sees(frame => {
			inOrder(frame);
			expect(paneText(frame, MAIN)).toContain(`${index + 1} in ·`);
			expect(paneText(frame, MAIN)).toMatch(/^ ›$/m);
		});
	}
	const shown = squeezed(await readTurns(screen));
	for (const text of TEXTS)
		expect(shown, JSON.stringify(text)).toContain(squeezed(`ended: ${beginning(label(text, 40), 30)}`));
	expect(screen.harm()).toEqual([]);
});

const inside = (frame: Frame): string =>
	insideBox(frame)
		.slice(1)
		.map(row => row.slice(1, -1))
		.join('\n');
const readChooser = async (screen: WatchedScreen, last: string): Promise<string> => {
	const pages: string[] = [];
	// Sizes are removed: a size that arrives later must not count as a different page.
	const names = (frame: Frame): string => inside(frame).replaceAll(/ +(?:[\d.]+ [BK])? *$/gm, '');
	while (!pages.at(-1)?.includes(last)) {
		if (pages.length > 0) pressAction(screen.terminal, 'chooser', 'pageDown');
		pages.push(names(await screen.sees(frame => expect(names(frame)).not.toBe(pages.at(-1)))));
	}
	return pages.join('\n');
};

const settle = async (home: Home, profiles: object): Promise<void> => {
	const folder = join(home.folder, '.config/svc-tui');
	await mkdir(join(folder, 'keys'), {recursive: true});
	await writeFile(join(folder, 'keys/one'), 'key-of-one', {mode: 0o600});
	await writeFile(join(folder, 'settings.json'), JSON.stringify({profile: 'one', profiles}));
};

/**
 * Names that the settings accept; see below for the others. A combining mark without a letter is
 * drawn on the space before it.
 */
const SHORT = CASES.filter(
	text =>
		/^\P{C}+$/u.test(text) &&
		label(`○ ${text}`) === `○ ${label(text)}` &&
		text === text.trim() &&
		text.length <= 40,
);
/** A profile lists at most five models. */
const NAMES = [0, 1, 2].map(index => SHORT.filter((_, at) => at % 3 === index).slice(0, 5));

test.each(NAMES.map((names, index) => [index + 1, names] as const))(
	'texts as names of models in the profile, group %i: in the pane, the picker and beside an answer',
	async (_, names) => {
		await using home = await newHome();
		await using service = await startHostileService({chat: () => stream('0:"so"', DONE)});
		await settle(home, {
			one: {baseUrl: service.baseUrl, models: names.map((name, at) => ({id: `model_${at + 1}`, name}))},
		});
		await using screen = await openWatched({env: {}}, {...SIZE, home});
		const {terminal} = screen;
		await openAssistant(screen);
		for (const [at, name] of names.entries()) {
			pressAction(terminal, 'assistant', 'model');
			await screen.sees(frame => {
				for (const each of names) expect(inside(frame)).toContain(beginning(label(each), 30));
			});
			terminal.type(`model_${at + 1}`);
			await screen.sees(frame =>
				expect(inside(frame)).not.toContain(`model_${((at + 1) % names.length) + 1}`),
			);
			pressAction(terminal, 'chooser', 'accept');
			await terminal.gone('╭');
			await screen.sees(frame => {
				inOrder(frame);
				expect(paneText(frame.slice(0, 3), MAIN)).toContain(beginning(label(name), 15));
			});
		}
		terminal.type('a');
		pressAction(terminal, 'assistant', 'send');
		await screen.shows('1 in · 2 out');
		expect(screen.harm()).toEqual([]);
	},
);

test('unusable settings are reported, with any content', async () => {
	for (const text of CASES.filter((_, index) => index % 20 === 0)) {
		await using home = await newHome();
		await settle(home, {
			one: {baseUrl: text, keyFile: text, models: [{id: text, name: text}]},
			[`x${text}`]: {[`y${text}`]: text},
		});
		await using screen = await openWatched({env: {}}, {...SIZE, home});
		await screen.shows('settings.json:1: ');
		expect(screen.harm()).toEqual([]);
	}
});

test(`${WORDS.length} texts as names of files in a question and as commands: suggested, in the message context, in the question, in notices`, async () => {
	const paths = WORDS.map(text => `x${text}`);
	await using service = await startHostileService({
		file: ({path}) => inOneFolder(paths, path),
		chat: () => stream('0:"so"', DONE),
	});
	await using screen = await openWatched(service, SIZE);
	const {terminal} = screen;
	await screen.shows(/calm +\S ready/);
	pressAction(terminal, 'global', 'files');
	await screen.sees(frame => expect(frame.some(row => row[0] === '▸')).toBe(true));
	const some = asListed(paths).slice(0, 40);
	// Names that cannot be part of a URL cause no request.
	const askable = some.filter(canBeAsked);
	for (const path of some) {
		if (askable.includes(path)) {
			pressAction(terminal, 'tree', 'attach');
			inOrder(await screen.frame());
			pressAction(terminal, 'assistant', 'leave');
		}
		pressAction(terminal, 'tree', 'down');
		inOrder(await screen.frame());
	}
	pressAction(terminal, 'global', 'assistant');
	await screen.shows('esc read the answers');
	pressAction(terminal, 'assistant', 'tray');
	await screen.shows('Attached to the next question');
	const tray = await readChooser(screen, beginning(label(askable.at(-1) ?? ''), 20));
	for (const path of askable) expect(tray, JSON.stringify(path)).toContain(beginning(label(path), 20));
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('╭');
	terminal.type('carry all');
	pressAction(terminal, 'assistant', 'send');
	await screen.sees(frame => {
		inOrder(frame);
		expect(paneText(frame, MAIN)).toContain('1 in ·');
	});
	for (const text of WORDS.filter((_, index) => index % 3 === 0)) {
		terminal.paste(`@x${text}`);
		inOrder(await screen.frame());
		pressAction(terminal, 'assistant', 'killToStart');
		terminal.paste(`/${text}`);
		inOrder(await screen.frame());
		pressAction(terminal, 'assistant', 'killToStart');
	}
	for (const text of WORDS.filter((_, index) => index % 9 === 0)) {
		terminal.paste(`/model ${text}`);
		pressAction(terminal, 'assistant', 'send');
		await screen.sees(frame =>
			expect(noticeOf(frame)).toContain(beginning(`No model is called ${label(text.trim(), 60)}`, 60)),
		);
		terminal.paste(`/export ${text.replaceAll('/', '-')}.md`);
		pressAction(terminal, 'assistant', 'send');
		// A paste clears the previous notice, so this is the notice of the export. It would replace
		// the next notice.
		await screen.sees(frame => expect(noticeOf(frame)).toMatch(/^ [✓✗] /));
		inOrder(await screen.frame());
		pressAction(terminal, 'assistant', 'killToStart');
	}
	expect(screen.harm()).toEqual([]);
});

test(`${WORDS.length} texts as questions and answers of conversations on disk: restored by the next program, in their list, in searches and in the question before one is deleted`, async () => {
	const groups = Array.from({length: 12}, (_, index) => WORDS.filter((__, at) => at % 12 === index));
	await using home = await newHome();
	let asked = 0;
	await using service = await startHostileService({
		chat: () =>
			stream(
				...(groups[asked++] ?? []).map(text => `0:${JSON.stringify(`${text}\n\n`)}`),
				'0:"that is all"',
				DONE,
			),
	});
	{
		await using screen = await openWatched(service, {...SIZE, home});
		const {terminal} = screen;
		await openAssistant(screen);
		for (const [index, group] of groups.entries()) {
			if (index > 0) {
				terminal.type('/new');
				pressAction(terminal, 'assistant', 'send');
				await screen.sees(frame => expect(paneText(frame, MAIN)).not.toContain('that is all'));
			}
			terminal.paste(`${group[0]} ${index}`);
			pressAction(terminal, 'assistant', 'send');
			await screen.sees(frame => expect(paneText(frame, MAIN)).toMatch(/that is all[^]*1 in ·/));
		}
		pressAction(terminal, 'anywhere', 'servers');
		pressAction(terminal, 'global', 'quit');
		await terminal.exit;
		expect(screen.harm()).toEqual([]);
	}
	await using screen = await openWatched(service, {...SIZE, home});
	const {terminal} = screen;
	await screen.shows(/calm +\S ready/);
	pressAction(terminal, 'global', 'assistant');
	await screen.shows('that is all');
	inOrder(await screen.frame());
	pressAction(terminal, 'assistant', 'leave');
	await screen.shows('⏎ ask');
	pressAction(terminal, 'turns', 'conversations');
	await screen.shows(`Conversations ${groups.length}`);
	await screen.sees(frame => {
		for (const [index, [text = '']] of groups.entries())
			expect(inside(frame)).toContain(beginning(label(`${text} ${index}`.trim()), 30));
	});
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('╭');
	for (const text of groups.at(-1) ?? []) {
		pressAction(terminal, 'turns', 'find');
		await screen.shows('╭ Find in the conversation');
		pressAction(terminal, 'chooser', 'killToStart');
		terminal.paste(text);
		await screen.sees(frame => expect(inside(frame)).toContain(beginning(label(text.trim()), 30)));
		pressAction(terminal, 'chooser', 'accept');
		await terminal.gone('╭ Find');
		inOrder(await screen.frame());
	}
	pressAction(terminal, 'turns', 'edit');
	await screen.shows('esc read the answers');
	terminal.type('/delete');
	pressAction(terminal, 'assistant', 'send');
	await screen.sees(frame =>
		expect(inside(frame)).toContain(beginning(label(`${groups.at(-1)?.[0]} ${groups.length - 1}`), 40)),
	);
	pressAction(terminal, 'confirm', 'no');
	await terminal.gone('╭');
	expect(screenOf(await screen.frame())).toContain(beginning(block(`${groups.at(-1)?.[0]}`), 20));
	expect(screen.harm()).toEqual([]);
});
