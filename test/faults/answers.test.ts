import {expect, test} from 'vitest';
import {ask} from '../journeys/steps.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {
	serverItem,
	startHostileService,
	stream,
	success,
	type Answer,
	type HostileService,
} from './hostile-service.ts';

const BEGIN = 'f:{"messageId":"m"}';
const END = 'd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":2}}';
const text = (words: string): string => `0:${JSON.stringify(words)}`;

const openOn = async (home: Home, service: HostileService, name = 'calm'): Promise<Terminal> => {
	const terminal = await openProgram({home, env: service.env, columns: 90, rows: 30});
	await terminal.until(new RegExp(`${name}.*ready`));
	pressAction(terminal, 'anywhere', 'assistant');
	await terminal.until('^J new line');
	return terminal;
};

type Broken = {readonly fault: string; readonly answer: Answer; readonly shows: RegExp};

const BROKEN: readonly Broken[] = [
	{
		fault: 'reset',
		answer: {...stream(BEGIN, text('Half before a reset')), then: 'reset'},
		shows: / Half before a reset[^]*(lost|broke off)[^]*the answer is not complete/,
	},
	{
		fault: 'no end',
		answer: stream(BEGIN, text('Half without an end')),
		shows: / Half without an end[^]*was cut off[^]*the answer is not complete/,
	},
	{
		fault: 'error',
		answer: stream(BEGIN, text('Half before an error'), '3:"The model is overloaded."'),
		shows: / Half before an error[^]*The model is overloaded\.[^]*the answer is not complete/,
	},
	{
		fault: 'other',
		answer: {type: 'text/html', body: '<html>login</html>'},
		shows: /sent a web page instead of an answer of the assistant/,
	},
	{
		fault: 'other',
		answer: {type: 'application/json', body: '{"status":"error"}'},
		shows: /sent something that is not an answer of the assistant/,
	},
	{
		fault: 'other',
		answer: {type: 'text/event-stream', body: 'event: text\ndata: {"a":1}\n\n'},
		shows: /sent something that is not an answer of the assistant/,
	},
	{fault: 'other', answer: {type: 'text/plain', body: ''}, shows: /sent an empty response/},
];

test(
	'an answer that breaks off keeps its part and gives the reason, an invalid one is described, and R retries',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		let answer: Answer = stream(BEGIN, END);
		await using service = await startHostileService({chat: () => answer});
		await using terminal = await openOn(home, service);
		for (const [index, {fault, answer: broken, shows}] of BROKEN.entries()) {
			answer = broken;
			ask(terminal, `${fault} number ${index}`);
			await terminal.until(new RegExp(`› ${fault} number ${index}[^]*${shows.source}`));
			await terminal.gone('answering');
			answer = stream(BEGIN, text(`Whole ${index}.`), END);
			pressAction(terminal, 'assistant', 'leave');
			await terminal.until('R ask again');
			pressAction(terminal, 'turns', 'retry');
			await terminal.until(new RegExp(`› ${fault} number ${index}[^]* Whole ${index}\\.`));
			await terminal.gone('answering');
			pressAction(terminal, 'turns', 'edit');
			await terminal.until('^J new line');
		}
		expect(service.strays).toEqual([]);
	},
);

test('an answer that arrives in single bytes, with CRLF and split surrogates, is exact on the screen', async () => {
	await using home = await newHome();
	const body = Buffer.from(
		`${BEGIN}\n${text('é表😀 and ')}\n0:"\\ud83d"\n0:"\\ude00"\n${text('👩‍👩‍👧 | end.')}\n${END}\n`.replaceAll(
			'\n',
			'\r\n',
		),
	);
	await using service = await startHostileService({
		chat: () => ({type: 'text/plain', body: [...body].map(byte => Buffer.of(byte))}),
	});
	await using terminal = await openOn(home, service);
	ask(terminal, 'exactly?');
	await terminal.until(/ é表😀 and 😀👩‍👩‍👧 \| end\.[^]*1 in · 2 out/);
});

test(
	'while a line of 3 MB is formatted, keys work, and nothing of the line is lost',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		const words = `begins ${'word '.repeat(600_000)}ends`;
		await using service = await startHostileService({chat: () => stream(BEGIN, text(words), END)});
		await using terminal = await openOn(home, service);
		ask(terminal, 'much?');
		await terminal.until(/answering[^]*› $/m);
		terminal.type('typed meanwhile');
		await terminal.until(/answering[^]*› typed meanwhile/);
		await terminal.until(/ ends\n[^]*1 in · 2 out/);
		pressAction(terminal, 'assistant', 'leave');
		await terminal.until('R ask again');
		pressAction(terminal, 'turns', 'copyAnswer');
		await terminal.until('The answer');
		pressAction(terminal, 'turns', 'first');
		await terminal.until(/› much\?[^]* begins word word/);
	},
);

test('Esc during an answer keeps the part, the service sees the connection close, and the next question is answered', async () => {
	await using home = await newHome();
	let answer: Answer = {...stream(BEGIN, text('A part')), then: 'open'};
	await using service = await startHostileService({chat: () => answer});
	await using terminal = await openOn(home, service);
	ask(terminal, 'stop me');
	await terminal.until(' A part');
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until(/ A part[^]*stopped; the part received is kept/);
	await expect.poll(() => service.abandoned).toEqual([expect.stringContaining('POST /api/assistant/calm/')]);
	answer = stream(BEGIN, text('And more.'), END);
	ask(terminal, 'go on');
	await terminal.until(/ A part[^]*› go on[^]* And more\./);
});

test('a second question waits for the first answer, and an answer that arrives after a change of server belongs to its own server', async () => {
	await using home = await newHome();
	let goOn = (): void => {};
	const ready = new Promise<void>(resolve => {
		goOn = resolve;
	});
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('calm'), serverItem('other')]}),
		async chat({server}) {
			if (server === 'calm') await ready;
			return stream(BEGIN, text(`Answered by ${server}.`), END);
		},
	});
	await using terminal = await openOn(home, service);
	ask(terminal, 'first');
	await terminal.until(/› first/);
	ask(terminal, 'second');
	await terminal.until('queued second');
	pressAction(terminal, 'assistant', 'earlier');
	await terminal.until('› second');
	pressAction(terminal, 'assistant', 'killToStart');
	await terminal.gone('› second');
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until(/calm.*ready[^]*other.*ready/);
	pressAction(terminal, 'servers', 'last');
	pressAction(terminal, 'servers', 'open');
	await terminal.until(/Files · other/);
	pressAction(terminal, 'anywhere', 'assistant');
	await terminal.until(/Assistant · other/);
	ask(terminal, 'who?');
	await terminal.until(' Answered by other.');
	goOn();
	await expect
		.poll(() => service.asked.filter(line => line.startsWith('POST /api/assistant/')).length)
		.toBe(2);
	await terminal.until('1 in · 2 out');
	expect(terminal.screen()).not.toContain('Answered by calm');
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until(/calm.*ready/);
	pressAction(terminal, 'servers', 'first');
	pressAction(terminal, 'servers', 'open');
	pressAction(terminal, 'anywhere', 'assistant');
	await terminal.until(/Assistant · calm[^]*› first[^]* Answered by calm\./);
	expect(terminal.screen()).not.toContain('Answered by other');
});
