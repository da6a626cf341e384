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
		fault: 'F31',
		answer: {...stream(BEGIN, text('Half of F31')), then: 'reset'},
		shows: /▌ Half of F31[^]*(lost|broke off)[^]*the answer is not complete/,
	},
	{
		fault: 'F32',
		answer: stream(BEGIN, text('Half of F32')),
		shows: /▌ Half of F32[^]*broke off before its last line[^]*the answer is not complete/,
	},
	{
		fault: 'F33',
		answer: stream(BEGIN, text('Half of F33'), '3:"The model is overloaded."'),
		shows: /▌ Half of F33[^]*The model is overloaded\.[^]*the answer is not complete/,
	},
	{
		fault: 'F34',
		answer: {type: 'text/html', body: '<html>login</html>'},
		shows: /sent a web page instead of an answer of the assistant/,
	},
	{
		fault: 'F34',
		answer: {type: 'application/json', body: '{"status":"error"}'},
		shows: /sent something that is not an answer of the assistant/,
	},
	{
		fault: 'F34',
		answer: {type: 'text/event-stream', body: 'event: text\ndata: {"a":1}\n\n'},
		shows: /sent something that is not an answer of the assistant/,
	},
	{fault: 'F34', answer: {type: 'text/plain', body: ''}, shows: /sent an empty answer/},
];

test(
	'F31 F32 F33 F34: an answer that breaks off keeps its part and says why, one that is none says what came, and R asks again',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		let answer: Answer = stream(BEGIN, END);
		await using service = await startHostileService({chat: () => answer});
		await using terminal = await openOn(home, service);
		for (const [index, {fault, answer: broken, shows}] of BROKEN.entries()) {
			answer = broken;
			ask(terminal, `${fault} number ${index}`);
			await terminal.until(new RegExp(`you +${fault} number ${index}[^]*${shows.source}`));
			await terminal.gone('answering');
			answer = stream(BEGIN, text(`Whole ${index}.`), END);
			pressAction(terminal, 'assistant', 'leave');
			await terminal.until('R ask again');
			pressAction(terminal, 'turns', 'retry');
			await terminal.until(new RegExp(`you +${fault} number ${index}[^]*▌ Whole ${index}\\.`));
			await terminal.gone('answering');
			pressAction(terminal, 'turns', 'edit');
			await terminal.until('^J new line');
		}
		expect(service.strays).toEqual([]);
	},
);

test('F36: an answer that comes in single bytes, with CRLF and split surrogates, is exact on the screen', async () => {
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
	await terminal.until(/▌ é表😀 and 😀👩‍👩‍👧 \| end\.[^]*1 tokens in, 2 out/);
});

test(
	'F37: while a line of 3 MB is laid out keys are answered, and nothing of it is lost',
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
		await terminal.until(/ ends\n[^]*1 tokens in, 2 out/);
		pressAction(terminal, 'assistant', 'leave');
		await terminal.until('R ask again');
		pressAction(terminal, 'turns', 'copyAnswer');
		await terminal.until('The answer');
		pressAction(terminal, 'turns', 'first');
		await terminal.until(/you +much\?[^]*▌ begins word word/);
	},
);

test('F39: Esc in the middle of an answer keeps the part, the service sees the connection close, and the next question is answered', async () => {
	await using home = await newHome();
	let answer: Answer = {...stream(BEGIN, text('A part')), then: 'open'};
	await using service = await startHostileService({chat: () => answer});
	await using terminal = await openOn(home, service);
	ask(terminal, 'stop me');
	await terminal.until('▌ A part');
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until(/▌ A part[^]*stopped; the part received is kept/);
	await expect.poll(() => service.abandoned).toEqual([expect.stringContaining('POST /api/assistant/calm/')]);
	answer = stream(BEGIN, text('And more.'), END);
	ask(terminal, 'go on');
	await terminal.until(/▌ A part[^]*you +go on[^]*▌ And more\./);
});

test("F40: a second question waits for the first one's answer, and an answer that comes after the server was changed stands under its own", async () => {
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
	await terminal.until(/you +first/);
	ask(terminal, 'second');
	await terminal.until('An answer is under way: Esc stops it');
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
	await terminal.until('▌ Answered by other.');
	goOn();
	await expect
		.poll(() => service.asked.filter(line => line.startsWith('POST /api/assistant/')).length)
		.toBe(2);
	await terminal.until('1 tokens in, 2 out');
	expect(terminal.screen()).not.toContain('Answered by calm');
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until(/calm.*ready/);
	pressAction(terminal, 'servers', 'first');
	pressAction(terminal, 'servers', 'open');
	pressAction(terminal, 'anywhere', 'assistant');
	await terminal.until(/Assistant · calm[^]*you +first[^]*▌ Answered by calm\./);
	expect(terminal.screen()).not.toContain('Answered by other');
});
