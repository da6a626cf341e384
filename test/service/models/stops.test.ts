import {expect, test} from 'vitest';
import {startModelServer, type ModelStream} from '../../support/model-server.ts';
import {ask, modelService} from './support.ts';
import {waitFor} from '../../support/wait-for.ts';

const places: readonly (readonly [
	when: string,
	answer: (stream: ModelStream) => Promise<void> | void,
	seen: string,
])[] = [
	['before it has answered', () => {}, ''],
	['when it has begun to answer', stream => stream.begin(), ''],
	['in the middle of its answer', async stream => stream.text('half'), 'half'],
	[
		'while it answers as fast as it can',
		async stream => {
			for (;;) {
				if (stream.asked.gone) return;
				await stream.text('half');
			}
		},
		'half',
	],
];

test.each(places)('a model notices at once when a client stops it %s', async (_, answer, seen) => {
	await using server = await startModelServer(answer);
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}));
	const stop = new AbortController();
	let text = '';
	const reply = service.client.chat('welcome', 'model_2', ask('why?'), {
		signal: stop.signal,
		onText: fragment => {
			text += fragment;
		},
	});
	await waitFor(() => expect(server.asked).toHaveLength(1));
	await waitFor(() => expect(text.startsWith(seen)).toBe(true));
	stop.abort();
	await waitFor(() => expect(server.asked[0]?.gone).toBe(true), {interval: 10});
	await waitFor(() => expect(server.open()).toBe(0), {interval: 10});
	await reply;
	// A stop is not a failure, so the log only contains the request.
	await waitFor(() => expect(service.log()).toMatch(/POST \/api\/assistant/));
	expect(service.log()).not.toMatch(/model_2:|failure/);
});

test('the end of the service ends what its models were asked', async () => {
	await using server = await startModelServer(async stream => stream.text('half'));
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}));
	const seen: string[] = [];
	const reply = service.client.chat('welcome', 'model_2', ask('why?'), {onText: text => seen.push(text)});
	await waitFor(() => expect(seen).toEqual(['half']));
	await service.local.service.close();
	await waitFor(() => expect(server.asked[0]?.gone).toBe(true), {interval: 10});
	expect(await reply).toMatchObject({
		ok: true,
		value: {content: 'half', complete: false, problem: {kind: 'connection-lost'}},
	});
});
