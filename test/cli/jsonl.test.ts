import {afterAll, beforeAll, expect, test} from 'vitest';
import {
	serverItem,
	startHostileService,
	stream,
	success,
	type HostileService,
} from '../faults/hostile-service.ts';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';

let home: Home;
let service: HostileService;
beforeAll(async () => {
	home = await newHome();
	service = await startHostileService({
		servers: () => success({servers: [serverItem('a\u009B31m\u202E'), serverItem('b')]}),
		chat: () =>
			stream(
				'f:{"messageId":"m"}',
				'0:"one "',
				'0:"two\u007F"',
				'd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":2}}',
			),
	});
});
afterAll(async () => {
	await service[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const lines = (text: string): readonly unknown[] =>
	text
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line) as unknown);

test('--jsonl gives the fragments of an answer a line each, and what the answer was at the end', async () => {
	const {code, stdout} = await runHere(['chat', 'b', 'hello', '--jsonl'], {home, env: service.env});
	expect(code).toBe(0);
	expect(lines(stdout)).toEqual([
		{text: 'one '},
		{text: 'two\u007F'},
		{messageId: 'm', finishReason: 'stop', usage: {promptTokens: 1, completionTokens: 2}, complete: true},
	]);
	expect(stdout).not.toMatch(/[\u007F-\u009F\u202A-\u202E]/);
});

test('--jsonl gives a list an item a line, without anything that acts on a terminal', async () => {
	const {stdout} = await runHere(['servers', '--jsonl'], {home, env: service.env});
	expect(lines(stdout)).toMatchObject([{name: 'a\u009B31m\u202E'}, {name: 'b'}]);
	expect(stdout).not.toMatch(/[\u007F-\u009F\u202A-\u202E]/);
});

test('errors under --jsonl are JSON with a stable code', async () => {
	const {code, stdout, stderr} = await runHere(['server', 'start', 'nope', '--jsonl'], {
		home,
		env: service.env,
	});
	expect({code, stdout}).toEqual({code: 3, stdout: ''});
	expect(lines(stderr)).toMatchObject([{error: {code: 'not-found'}}]);
});
