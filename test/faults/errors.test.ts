// @module-tag long
import {expect, test, vi} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {pressAction} from '../support/press-action.ts';
import {asReason, beginning, insideBox} from './columns.ts';
import {CASES, packs} from './hostile-cases.ts';
import {
	json,
	serverItem,
	startHostileService,
	success,
	type Answer,
	type HostileService,
	type Routes,
} from './hostile-service.ts';
import {openWatched, screenOf, type WatchedScreen} from './watched-screen.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

const squeezed = (text: string): string => text.replaceAll(/[\s│┃]/g, '');
/** A terminal with a single pane, so that the rows of a sentence follow each other. */
const ONE_PANE = {columns: 96} as const;
const ROUTES = [
	'servers',
	'compute',
	'environments',
	'file',
	'run',
	'chat',
	'start',
	'create',
] as const satisfies readonly (keyof Routes)[];
const answerAll = (service: HostileService, answer: Answer): void =>
	service.answer(Object.fromEntries(ROUTES.map(route => [route, () => answer])));

/** Forms in which services give the reason of an error. */
const SHAPES = [
	(text: string) => json({message: text}, 400),
	(text: string) => json({error: text}, 404),
	(text: string) => json({error: {message: text}}, 409),
	(text: string) => json({detail: text}, 418),
	(text: string) => json({message: text, [text]: text}, 429),
	(text: string) => json({message: text}, 500),
	(text: string) => json({error: text}, 503),
	(text: string) => json({status: 'failed', message: text}, 200),
] as const;

/** Message of the tree if the response is not a folder. */
const NO_FOLDERS = 'This service lists no folders';

/** Index of the first form with a status after which the request may have been executed. */
const FIRST_UNCLEAR = 5;

/**
 * Loads the data of all six screens, one after the other. `check` checks the part of the text that
 * each screen shows.
 */
const visit = async (screen: WatchedScreen, check: (shown: string) => void): Promise<void> => {
	const {terminal} = screen;
	const shows = () => screen.sees(frame => check(screenOf(frame)));
	for (const name of ['servers', 'compute', 'environments', 'files'] as const) {
		pressAction(terminal, 'anywhere', name);
		await screen.shows(
			name === 'files'
				? / Files · /
				: new RegExp(`^─ ${name.slice(0, 1).toUpperCase()}${name.slice(1)}\\b`, 'm'),
		);
		pressAction(terminal, 'global', 'refresh');
		await shows();
	}
	pressAction(terminal, 'anywhere', 'repl');
	await screen.shows('esc read the cells');
	terminal.type('1');
	pressAction(terminal, 'repl', 'run');
	await shows();
	pressAction(terminal, 'anywhere', 'assistant');
	await screen.shows('esc read the answers');
	terminal.type('1');
	pressAction(terminal, 'assistant', 'send');
	await shows();
};

const GROUPS = packs(200);

test(`${CASES.length} texts as why a service refuses, in ${SHAPES.length} shapes: on all six screens, in a notice, and old rows stay`, async () => {
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('calm'), serverItem('asleep', {status: 'offline'})]}),
	});
	await using screen = await openWatched(service, ONE_PANE);
	const {terminal} = screen;
	await screen.shows(/asleep +\S offline/);
	for (const [index, group] of GROUPS.entries()) {
		const marked = `#${index + 1} ${group}`;
		answerAll(service, (SHAPES[index % SHAPES.length] ?? SHAPES[0])(marked));
		const shown = squeezed(beginning(label(asReason(marked)), 150));
		// A chat expects a stream, so a JSON response is invalid.
		await visit(screen, text =>
			expect(
				[shown, 'sentsomethingthatisnotananswer', squeezed(NO_FOLDERS)].some(part =>
					squeezed(text).includes(part),
				),
				`${shown} in\n${text}`,
			).toBe(true),
		);
		pressAction(terminal, 'anywhere', 'servers');
		await screen.sees(frame => {
			const text = screenOf(frame);
			expect(squeezed(text)).toContain(shown);
			expect(text).toMatch(/ old ─[^]*▸ calm +\S ready[^]*asleep +\S offline/);
		});
		// After a start that may have been executed, the list is polled for some seconds, see
		// `lists.test.ts`.
		if (index % SHAPES.length >= FIRST_UNCLEAR) continue;
		pressAction(terminal, 'servers', 'down');
		await screen.shows('▸ asleep');
		pressAction(terminal, 'servers', 'start');
		await screen.shows('y Start');
		pressAction(terminal, 'confirm', 'yes');
		await screen.sees(frame =>
			expect(squeezed(insideBox(frame).join(''))).toContain(squeezed(beginning(shown, 40))),
		);
		pressAction(terminal, 'review', 'cancel');
		await terminal.gone('╭');
		pressAction(terminal, 'servers', 'up');
		await screen.shows('▸ calm');
	}
	expect(screen.harm()).toEqual([]);
	expect(service.strays).toEqual([]);
});

const whole = CASES.join(' ').toWellFormed();
const reason = whole.replaceAll(/[\r\n\0]/g, ' ').slice(0, 4000);
/**
 * Responses that contain hostile text but no message, each with the expected message of the
 * screens.
 */
const MUTE: readonly (readonly [string, Answer, RegExp])[] = [
	['an error page', {status: 500, type: 'text/html', body: `<html>${whole}</html>`}, /failed\s+\(500\)[.:]/],
	['a plain error', {status: 502, type: 'text/plain', body: whole}, /is\s+unavailable\s+\(502\):/],
	['an empty error', {status: 500, body: ''}, /failed\s+\(500\)[.:]/],
	['a hostile reason', {status: 500, reason, body: ''}, /failed\s+\(500\)[.:]|does\s+not\s+speak\s+HTTP/],
	[
		'a hostile reason and page',
		{status: 404, reason, type: 'text/html', body: whole},
		/does\s+not\s+know\s+that\s+name\s+\(404\)[.:]|has\s+no\s+\/api\/\S+\s+\(404\)[.:]|does\s+not\s+speak\s+HTTP/,
	],
	[
		'a login page',
		{status: 200, type: 'text/html', body: `<html>${whole}</html>`},
		/sent\s+a\s+web\s+page\s+instead\s+of/,
	],
	[
		'a hostile content type',
		{status: 200, type: 'application/json; x="\u009B2J\u009D0;t\u009C"', body: whole},
		/sent\s+something\s+that\s+is\s+not|unexpected\s+response/,
	],
	[
		'half an answer',
		{status: 200, body: `{"status":"success","servers":[{"name":${JSON.stringify(whole)}`},
		/sent\s+something\s+that\s+is\s+not/,
	],
	['an empty answer', {status: 200, body: ''}, /sent\s+an\s+empty\s+response\./],
	[
		'another shape',
		json({
			status: 'success',
			[whole]: whole,
			servers: {[whole]: whole},
			compute: whole,
			environments: null,
			content: [whole],
		}),
		/sent\s+an\s+unexpected\s+response:|sent\s+something\s+that\s+is\s+not/,
	],
	[
		'another status',
		json({status: whole, servers: []}),
		/responded\s+with\s+status\s+"|sent\s+something\s+that\s+is\s+not/,
	],
];

test.each(MUTE)(`${CASES.length} texts in %s: on all six screens`, async (_, answer, said) => {
	await using service = await startHostileService();
	await using screen = await openWatched(service, ONE_PANE);
	await screen.shows(/calm +\S ready/);
	answerAll(service, answer);
	await visit(screen, text =>
		expect(text.replaceAll('│', ' ')).toMatch(new RegExp(`${said.source}|${NO_FOLDERS}`)),
	);
	pressAction(screen.terminal, 'anywhere', 'servers');
	await screen.shows(/▸ calm +\S ready/);
	expect(screen.harm()).toEqual([]);
});

test(`${CASES.length} texts as reason phrase of a refusal and of a list, as they are in UTF-8 or Latin-1: on the list of servers`, async () => {
	await using service = await startHostileService();
	await using screen = await openWatched(service, {rows: 20});
	await screen.shows(/calm +\S ready/);
	for (const [index, text] of CASES.entries()) {
		const status = index % 2 === 0 ? 200 : 505 + (index % 80);
		const name = `r${index}`;
		service.answer({servers: () => ({...success({servers: [serverItem(name)]}), status, reason: text})});
		pressAction(screen.terminal, 'global', 'refresh');
		// Node's HTTP parser accepts no control characters in a status line.
		await screen.sees(frame =>
			expect(screenOf(frame)).toMatch(
				status === 200
					? new RegExp(` ${name} |does not speak HTTP|The response from 127[.]0[.]0[.]1:\\d+ is invalid:`)
					: new RegExp(
							`\\(${status}\\)|does not speak HTTP|The response from 127[.]0[.]0[.]1:\\d+ is invalid:`,
						),
			),
		);
	}
	expect(screen.harm()).toEqual([]);
	expect(service.strays).toEqual([]);
});
