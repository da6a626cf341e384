import {expect, test, vi} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {pressAction} from '../support/press-action.ts';
import {beginning, insideBox} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {serverItem, startHostileService, success} from './hostile-service.ts';
import {noticeOf, openWatched, type Frame, type WatchedScreen} from './watched-screen.ts';

vi.setConfig({testTimeout: 240_000});

const ROOM = 30;

const unbroken = (text: string): string => text.replaceAll(/\s/g, '');
const isIn = (shown: string, text: string): boolean => unbroken(shown).includes(unbroken(text));

/** Moves through a dialog's list to the row that shows `last`. Returns the text of all rows. */
const readChooser = async (screen: WatchedScreen, title: string, last: string): Promise<string> => {
	const inside = (frame: Frame): string => {
		const box = insideBox(frame);
		expect(box[0]).toContain(title);
		return (
			box
				.slice(1)
				// The time of a message is at the right of its first row.
				.map(row => row.slice(1, -1).replace(/ \d\d:\d\d:\d\d /, ''))
				.join('\n')
		);
	};
	const pages: string[] = [];
	while (!isIn(pages.at(-1) ?? '', last)) {
		if (pages.length > 0) pressAction(screen.terminal, 'chooser', 'pageDown');
		pages.push(inside(await screen.sees(frame => expect(inside(frame)).not.toBe(pages.at(-1)))));
	}
	return pages.join('\n');
};

const payloadOf = (data: string | undefined): string =>
	Buffer.from(data?.split(';')[1] ?? '', 'base64').toString('utf8');

test(`${CASES.length} texts in the program's messages: in their list, and in the clipboard unchanged, once for each key that asks for it`, async () => {
	await using service = await startHostileService({
		servers: () => success({servers: CASES.map(text => serverItem(text, {status: text, url: null}))}),
	});
	await using screen = await openWatched(service, {rows: 30});
	const {terminal, columns} = screen;
	await screen.shows(` Servers ${CASES.length} `);
	for (const text of CASES) {
		// If there is no address to copy, the message contains the server's name.
		pressAction(terminal, 'servers', 'copy');
		if (text !== CASES.at(-1)) pressAction(terminal, 'servers', 'down');
	}
	await screen.sees(frame =>
		expect(noticeOf(frame)).toContain(beginning(label(CASES.at(-1) ?? ''), columns - 4)),
	);
	pressAction(terminal, 'anywhere', 'messages');
	const shown = await readChooser(screen, 'Messages', beginning(label(CASES[0] ?? ''), ROOM));
	for (const text of CASES) expect(unbroken(shown)).toContain(unbroken(beginning(label(text), ROOM)));
	pressAction(terminal, 'messages', 'last');
	pressAction(terminal, 'messages', 'copy');
	await screen.shows('The message was sent to the terminal; if nothing arrived');
	// The last row is the first message, which was about this text.
	const [first = ''] = CASES;
	expect(terminal.events.clipboard.map(payloadOf)).toEqual([expect.stringContaining(label(first))]);
	expect(screen.harm()).toEqual(['OSC 52 1 times', 'clipboard']);
});

test(
	`${CASES.length} texts as servers to choose from in the command line, and as calls to the service, copied as a command for a shell`,
	{tags: 'long'},
	async () => {
		await using service = await startHostileService({
			servers: () => success({servers: CASES.map(text => serverItem(text))}),
		});
		await using screen = await openWatched(service, {rows: 30});
		const {terminal} = screen;
		await screen.shows(` Servers ${CASES.length} `);
		pressAction(terminal, 'global', 'commandLine');
		await screen.shows('─ Command');
		terminal.type('open ');
		await screen.sees(frame => expect(insideBox(frame)[1]).toContain(': open'));
		const shown = await readChooser(screen, 'Command', beginning(label(`open ${CASES.at(-1)}`), ROOM));
		for (const text of CASES)
			expect(unbroken(shown)).toContain(unbroken(beginning(label(`open ${text}`, 300), ROOM)));
		pressAction(terminal, 'chooser', 'close');
		await terminal.gone('╭');
		const askable = CASES.filter(text => text.isWellFormed()).slice(0, 20);
		for (const text of askable) {
			terminal.press(':');
			await screen.shows('─ Command');
			terminal.paste(`start ${text}`);
			await screen.frame();
			pressAction(terminal, 'chooser', 'accept');
			await screen.frame();
			pressAction(terminal, 'always', 'interrupt');
			await terminal.gone('╭');
		}
		pressAction(terminal, 'global', 'servers');
		for (const text of CASES.slice(0, 10)) {
			pressAction(terminal, 'servers', 'open');
			await screen.shows('plain.txt');
			pressAction(terminal, 'global', 'servers');
			if (text !== '') pressAction(terminal, 'servers', 'down');
		}
		pressAction(terminal, 'anywhere', 'requests');
		await screen.sees(frame => expect(insideBox(frame).join('\n')).toContain('/files/'));
		pressAction(terminal, 'requests', 'copy');
		await screen.shows('The curl command was sent to the terminal; if nothing arrived');
		expect(terminal.events.clipboard.map(payloadOf)).toEqual([
			expect.stringMatching(/^curl 'http:\/\/127\.0\.0\.1:\d+\/api\/[\w%.~/-]*' -H "apiKey: \$SVC_API_KEY"$/),
		]);
		expect(screen.harm()).toEqual(['OSC 52 1 times', 'clipboard']);
		expect(service.strays).toEqual([]);
	},
);
