// @module-tag long
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startModelServer, type ModelServer, type ModelStream} from '../support/model-server.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {ask, openAssistant, startWelcome} from './steps.ts';

const SIZE = {columns: 160, rows: 40};

/**
 * Configures a model in each of the slots 2 and 3 of the local service. The other slots are the
 * built-in assistant.
 */
const withModels = async (
	home: Home,
	answer: (stream: ModelStream, model: string) => Promise<void> | void,
): Promise<ModelServer> => {
	const server = await startModelServer(stream => answer(stream, stream.asked.body.model));
	const folder = join(home.folder, '.config/svc-tui');
	await mkdir(folder, {recursive: true});
	await writeFile(
		join(folder, 'models.json'),
		JSON.stringify({
			model_2: {baseUrl: server.baseUrl, model: 'one'},
			model_3: {baseUrl: server.baseUrl, model: 'other'},
		}),
	);
	return server;
};

/** Questions and answers in the requests to a model, without the service's own message. */
const sent = (stream: Pick<ModelStream, 'asked'> | undefined): readonly string[] =>
	(stream?.asked.body.messages ?? []).filter(({role}) => role !== 'system').map(({content}) => content);

const say = async (stream: ModelStream, text: string): Promise<void> => {
	await stream.text(text);
	await stream.finish();
	await stream.done();
};

/** Selects the first three models and asks them; model 2 is already selected. */
const askThree = async (terminal: Terminal): Promise<void> => {
	await terminal.until(/Ask several models[^]*■ one +model_2/);
	pressAction(terminal, 'models', 'mark');
	await terminal.until('■ model_1');
	pressAction(terminal, 'models', 'last');
	pressAction(terminal, 'models', 'up');
	pressAction(terminal, 'models', 'up');
	pressAction(terminal, 'models', 'mark');
	await terminal.until('■ other');
	pressAction(terminal, 'models', 'accept');
	await terminal.until('3 models asked the same');
};

test(
	'three models answer the same question side by side, one fails alone, and the conversation continues with the chosen one',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using server = await withModels(home, (stream, model) => {
			if (sent(stream).length > 1) return say(stream, 'And so on.');
			return model === 'one'
				? say(stream, 'The **first** answer of model two.')
				: stream.refuse(500, {error: {message: 'the model is not loaded'}});
		});
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openAssistant(terminal);
		pressAction(terminal, 'anywhere', 'dockRepl');
		terminal.type('what is in README.md?');
		await terminal.until('› what is in README.md?');
		pressAction(terminal, 'assistant', 'compare');
		await askThree(terminal);
		pressAction(terminal, 'global', 'zoom');
		const screen = await terminal.until(
			/▸ model_1 {2}complete .*one {2}complete .*other {2}failed[^]*reference assistant.* │ .*The first answer of model two\.[^]*model[^]*is not[^]*loaded/,
		);
		expect(screen).toMatch(/› what is in README\.md\?/);
		pressAction(terminal, 'comparison', 'right');
		await terminal.until(/▸ one {2}complete/);
		pressAction(terminal, 'comparison', 'adopt');
		await terminal.until('The conversation continues with model_2; the other answers are discarded');
		await terminal.until(/› what is in README\.md\?[^]* The first answer of model two\./);
		expect(terminal.screen()).not.toContain('reference assistant');
		ask(terminal, 'and then?');
		await terminal.until(/› and then\?[^]* And so on\./);
		const last = server.asked.at(-1);
		expect(last?.body.model).toBe('one');
		expect(sent(last && {asked: last})).toEqual([
			'what is in README.md?',
			'The **first** answer of model two.',
			'and then?',
		]);
		const folder = join(home.folder, '.local/state/svc-tui/conversations');
		await expect
			.poll(async () => {
				const names = (await readdir(folder, {recursive: true})).filter(name => name.endsWith('.json'));
				return Promise.all(names.map(async name => readFile(join(folder, name), 'utf8')));
			})
			.toEqual([expect.stringMatching(/The \*\*first\*\* answer of model two\.[^]*And so on\./)]);
	},
);

test('Esc stops all answers and keeps their parts, Esc again takes none, and the question is in the field', async () => {
	await using home = await newHome();
	await using server = await withModels(home, async (stream, model) => {
		await stream.text(`A beginning of ${model}`);
		stream.beat(`data: ${JSON.stringify({choices: [{delta: {content: '.'}}]})}\n\n`);
	});
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openAssistant(terminal);
	terminal.type('tell me a story');
	await terminal.until('› tell me a story');
	pressAction(terminal, 'assistant', 'compare');
	await askThree(terminal);
	pressAction(terminal, 'global', 'zoom');
	await terminal.until(
		/one {2}answering.*other {2}answering[^]*A beginning of one\..* │ .*A beginning of other\./,
	);
	// The first answer is that of the built-in assistant, which may complete at any time, so the
	// next one is used.
	pressAction(terminal, 'comparison', 'right');
	await terminal.until('▸ one');
	pressAction(terminal, 'comparison', 'adopt');
	await terminal.until('This answer is not complete yet: Esc stops the answers');
	pressAction(terminal, 'comparison', 'leave');
	await terminal.until(/one {2}incomplete.*other {2}incomplete[^]*stopped; the part/);
	await terminal.untilTrue(
		'both models to hear of it',
		() => server.asked.length === 2 && server.asked.every(({gone}) => gone),
	);
	await terminal.until('esc choose none');
	pressAction(terminal, 'comparison', 'leave');
	await terminal.until('No answer was chosen: the question is in the field');
	await terminal.until('› tell me a story');
	expect(terminal.screen()).not.toContain('A beginning');
});

test('without room side by side one answer is read at a time; the last question is retried, and its earlier answer is not sent again', async () => {
	await using home = await newHome();
	await using server = await withModels(home, (stream, model) =>
		say(stream, `Said by ${model}, ${sent(stream).length}.`),
	);
	await using terminal = await openProgram({home, columns: 80, rows: 24});
	await startWelcome(terminal);
	await openAssistant(terminal);
	ask(terminal, 'who are you?');
	await terminal.until('Said by one, 1.');
	await terminal.gone('answering');
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until('R ask again');
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Command');
	terminal.type('compare model_2 model_3 model_1');
	await terminal.until('compare model_2 model_3 model_1');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/▸ one complete +other complete +model_1 complete[^]* Said by one, 1\./);
	expect(terminal.screen()).not.toContain('Said by other');
	pressAction(terminal, 'comparison', 'right');
	await terminal.until(/▸ other complete[^]* Said by other, 1\./);
	pressAction(terminal, 'comparison', 'adopt');
	await terminal.until(/asked again below; no longer sent[^]* Said by other, 1\./);
	pressAction(terminal, 'turns', 'edit');
	await terminal.until('^J new line');
	ask(terminal, 'more');
	await terminal.until('Said by other, 3.');
	const last = server.asked.at(-1);
	expect(sent(last && {asked: last})).toEqual(['who are you?', 'Said by other, 1.', 'more']);
});
