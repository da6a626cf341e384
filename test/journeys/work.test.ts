import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {newNotebook} from '../../src/text/notebook/new-notebook.ts';
import {notebookText} from '../../src/text/notebook/serialize.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {notebookFaults} from '../support/notebook-schema.ts';
import {pressAction} from '../support/press-action.ts';
import {untilNoProcessUses} from '../support/processes.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {share} from '../support/share.ts';
import {startWorkModel, step, steps} from '../support/work-model.ts';
import {ask, openAssistant, order, startWelcome} from './steps.ts';

/** The model that answers in this home. */
const modelOf = async ({folder}: Home): ReturnType<typeof startWorkModel> => {
	const model = await startWorkModel();
	const settings = join(folder, '.config/svc-tui');
	mkdirSync(settings, {recursive: true});
	writeFileSync(
		join(settings, 'models.json'),
		JSON.stringify({model_2: {baseUrl: model.baseUrl, model: 'tiny'}}),
	);
	return model;
};

/** Program for the tasks of this file, with `welcome` started. */
const shared = share(async stack => {
	const home = stack.use(await newHome());
	const model = stack.use(await modelOf(home));
	const terminal = stack.use(await openProgram({home, columns: 90, rows: 40}));
	await startWelcome(terminal);
	return {model, terminal, folder: serverFolder(serviceFolder(home))};
});

/** Opens the assistant in a new conversation, without the marks of the previous test. */
const begin = async ({columns = 90, rows = 40} = {}): ReturnType<typeof shared> => {
	const all = await shared();
	const {terminal, folder} = all;
	for (const name of ['ran', 'go']) rmSync(join(folder, name), {force: true});
	terminal.resize(columns, rows);
	await openAssistant(terminal);
	ask(terminal, '/new');
	await terminal.until('Ask about a file of this server');
	return all;
};

test('a task is allowed step by step, refused, ended, and undone', async () => {
	const {model, terminal, folder} = await begin();
	model.play([
		steps(step('list', 'data'), step('run', '', 'open("ran", "w").close()\nprint("rows:", 7 * 6)\n')),
		steps(step('write', 'report.md', '# Prices of GPUs\n')),
		steps(step('shell', '', 'rm -rf data\n')),
		steps(step('ask', '', 'In which currency?\n')),
		steps(step('done', '', 'The report is written.\n')),
	]);
	terminal.type('/work write a report');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/list data · ok[^]*run 2 lines · waits for your permission/);
	expect(existsSync(join(folder, 'ran'))).toBe(false);
	// A key that was typed into the field does not answer the question.
	terminal.type('y');
	await terminal.until(/› y/);
	pressAction(terminal, 'assistant', 'backspace');
	await terminal.gone(/› y/);
	pressAction(terminal, 'assistant', 'send');
	const asked = await terminal.until('Allow this on welcome? run 2 lines');
	expect(asked).toContain('open("ran", "w").close()');
	expect(asked).toContain('can access the whole server');
	expect(existsSync(join(folder, 'ran'))).toBe(false);
	pressAction(terminal, 'permit', 'once');
	await terminal.until(/run 2 lines · \d+\.\d s · ok[^]*write report\.md, 1 line · waits for your/);
	expect(existsSync(join(folder, 'ran'))).toBe(true);
	expect(model.heard()).toContain('rows: 42');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/Allow this on welcome\? write report\.md[^]*\+ # Prices of GPUs/);
	pressAction(terminal, 'permit', 'task');
	await terminal.until(/write report\.md, 1 line · ok[^]*shell rm -rf data · waits for your/);
	expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe('# Prices of GPUs\n');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Allow this on welcome? shell rm -rf data');
	pressAction(terminal, 'permit', 'refuse');
	await terminal.until(/shell rm -rf data · refused[^]*It asks: In which currency\?/);
	terminal.type('dollars');
	await terminal.until('⏎ answer');
	pressAction(terminal, 'assistant', 'send');
	const done = await terminal.until(
		/currency\? · answered: dollars[^]*Done\. The report is written\.[^]*report\.md · new, 1 line/,
	);
	terminal.type('/steps');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/Done\.[^]*Changed[^]*report\.md[^]*\+# Prices of GPUs[^]*esc read the answers/);
	expect(done).toMatch(/4 of 40 steps[^]*tokens \(estimated\)[^]*allowed for this task: write/);
	expect(existsSync(join(folder, 'data'))).toBe(true);
	terminal.type('/undo');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Restored: report.md');
	expect(existsSync(join(folder, 'report.md'))).toBe(false);
});

test('code that is longer than the screen can be allowed at its end only, in every way', async () => {
	const {model, terminal, folder} = await begin({rows: 24});
	const harmless = Array.from({length: 80}, (_, at) => `x${at} = ${at}`).join('\n');
	model.play([
		steps(step('run', '', `${harmless}\nopen("ran", "w").close()\n`)),
		steps(step('done', '', 'Done.\n')),
	]);
	terminal.type('/work count');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/run 81 lines · waits for your/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Allow this on welcome? run 81 lines');
	for (const action of ['once', 'task', 'always'] as const) {
		pressAction(terminal, 'permit', action);
		await terminal.until(/\d+ more lines are below: G shows the end, where you can allow it/);
		pressAction(terminal, 'permit', 'down');
		await terminal.gone('more lines are below');
	}
	expect(existsSync(join(folder, 'ran'))).toBe(false);
	pressAction(terminal, 'permit', 'last');
	await terminal.until('open("ran", "w").close()');
	pressAction(terminal, 'permit', 'once');
	await terminal.until(/run 81 lines · \d+\.\d s · ok/);
	expect(existsSync(join(folder, 'ran'))).toBe(true);
	await terminal.until('Done. Done.');
});

test('a long path, and a text of thousands of lines, are shown whole before they can be allowed', async () => {
	const {model, terminal} = await begin({rows: 24});
	const path = `data/${'long/'.repeat(40)}.env`;
	const lines = Array.from({length: 5000}, (_, at) => `x${at} = ${at}\n`).join('');
	model.play([
		steps(step('read', path)),
		steps(step('write', 'long.py', `${lines}the_end()\n`)),
		steps(step('done', '', 'Done.\n')),
	]);
	terminal.type('/work count');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('waits for your');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/Allow this on welcome\? read data[^]*\/\.env/);
	pressAction(terminal, 'permit', 'refuse');
	await terminal.until(/write long\.py, 5,001 lines · waits for your/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('x2 = 2');
	pressAction(terminal, 'permit', 'once');
	await terminal.until(/\d+ more lines are below/);
	pressAction(terminal, 'permit', 'last');
	await terminal.until('the_end()');
	pressAction(terminal, 'permit', 'once');
	await terminal.until(/write long\.py, 5,001 lines · ok/);
	await terminal.until('Done. Done.');
});

test('writes into a folder are allowed for it, and those elsewhere still ask', async () => {
	const {model, terminal, folder} = await begin();
	model.play([
		steps(step('write', 'out/one.md', 'one\n')),
		steps(step('write', 'out/deep/two.md', 'two\n'), step('write', 'outer.md', 'three\n')),
		steps(step('done', '', 'Two reports.\n')),
	]);
	terminal.type('/work write two reports');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/write out\/one\.md, 1 line · waits for your/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('allow writing in out/');
	pressAction(terminal, 'permit', 'folder');
	await terminal.until(/out\/deep\/two\.md, 1 line · ok[^]*outer\.md, 1 line · waits for your/);
	expect(readFileSync(join(folder, 'out/deep/two.md'), 'utf8')).toBe('two\n');
	expect(existsSync(join(folder, 'outer.md'))).toBe(false);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Allow this on welcome? write outer.md');
	pressAction(terminal, 'permit', 'folder');
	await terminal.until('Only writes can be allowed for a folder');
	pressAction(terminal, 'permit', 'refuse');
	await terminal.until(/outer\.md, 1 line · refused/);
	await terminal.until(/Done\. Two reports\.[^]*write in out\/\. Everything else/);
	expect(existsSync(join(folder, 'outer.md'))).toBe(false);
});

/** Types a task for a server that has notes for assistants. */
const typeBesideContext = async (home: Home, terminal: Terminal): Promise<void> => {
	await startWelcome(terminal);
	writeFileSync(join(serverFolder(serviceFolder(home)), 'AGENTS.md'), 'Use polars.\n');
	await openAssistant(terminal);
	terminal.type('/work look around');
};

test("the server's AGENTS.md is shown before a task takes it along", {tags: 'long'}, async () => {
	await using home = await newHome();
	await using model = await modelOf(home);
	model.play([steps(step('done', '', 'All is as it was.\n'))]);
	await using terminal = await openProgram({home, columns: 90, rows: 40});
	await typeBesideContext(home, terminal);
	await terminal.until(/with AGENTS\.md \d+ B, shown first/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/Send AGENTS\.md too\?[^]*Use polars\./);
	pressAction(terminal, 'context', 'close');
	await terminal.until(/^ › \/work look around/m);
	expect(model.asked).toEqual([]);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Send AGENTS.md too?');
	pressAction(terminal, 'context', 'carry');
	await terminal.until('All is as it was.');
	await terminal.gone(/^ › \/work look around/m);
	expect(model.heard()).toContain('Use polars.');
});

test("a task that is given at once waits for the server's AGENTS.md", {tags: 'long'}, async () => {
	await using home = await newHome();
	await using model = await modelOf(home);
	model.play([steps(step('done', '', 'All is as it was.\n'))]);
	await using terminal = await openProgram({home, columns: 90, rows: 40});
	await typeBesideContext(home, terminal);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/Send AGENTS\.md too\?[^]*Use polars\./);
	expect(model.asked).toEqual([]);
	pressAction(terminal, 'context', 'carry');
	await terminal.until('All is as it was.');
	expect(model.heard()).toContain('Use polars.');
});

test('output of a step is shown while it runs, and sent to the model once', async () => {
	const {model, terminal, folder} = await begin();
	model.play([
		steps(
			step(
				'run',
				'',
				'for n in range(20): print("epoch", n)\nimport os, time\nwhile not os.path.exists("go"): time.sleep(0.01)\nprint("over")\n',
			),
		),
		steps(step('done', '', 'It is trained.\n')),
	]);
	terminal.type('/work train');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/run \d lines · waits for your/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Allow this on welcome?');
	pressAction(terminal, 'permit', 'once');
	const shown = await terminal.until(/run \d lines · runs[^]*epoch 15\n[^]*epoch 19/);
	expect(shown).not.toContain('epoch 14');
	writeFileSync(join(folder, 'go'), '');
	const done = await terminal.until('Done. It is trained.');
	expect(done).not.toContain('epoch');
	expect(model.heard().match(/epoch 19\nover/g)).toHaveLength(1);
});

test('a step that waits for permission is announced on another screen', async () => {
	const {model, terminal, folder} = await begin();
	model.play([
		steps(
			step('run', '', 'import os, time\nwhile not os.path.exists("go"): time.sleep(0.01)\n'),
			step('shell', '', 'rm -rf data\n'),
		),
		steps(step('done', '', 'Nothing is left.\n')),
	]);
	terminal.type('/work tidy up');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/run 2 lines · waits for your/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Allow this on welcome? run 2 lines');
	pressAction(terminal, 'permit', 'once');
	await terminal.until(/run 2 lines · runs/);
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.gone('shell rm -rf data');
	writeFileSync(join(folder, 'go'), '');
	await terminal.until('The assistant waits for your permission: shell rm -rf data');
	await openAssistant(terminal);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Allow this on welcome? shell rm -rf data');
	pressAction(terminal, 'permit', 'refuse');
	await terminal.until('Done. Nothing is left.');
});

test('without an open notebook the cells of a task create one; a task without cells offers none', async () => {
	const {model, terminal, folder} = await begin({columns: 100});
	model.play([steps(step('list', 'data')), steps(step('done', '', 'It is listed.\n'))]);
	terminal.type('/work list');
	pressAction(terminal, 'assistant', 'send');
	const listed = await terminal.until(/Done\. It is listed\.[^]*Everything else needs permission/);
	expect(listed).not.toContain('/cells');
	terminal.type('/cells');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('The last task ran no cell');

	model.play([steps(step('run', '', '40 + 2\n')), steps(step('done', '', 'It is added.\n'))]);
	terminal.type('/work add');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/run 1 line · waits for your/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Allow this on welcome? run 1 line');
	pressAction(terminal, 'permit', 'once');
	await terminal.until(/Done\. It is added\.[^]*It ran 1 cell: \/cells puts it/);
	terminal.type('/cells');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/Added as cell 1\/1 of welcome-[\d-]+\.ipynb, not saved yet/);
	await terminal.until(/─ welcome-\S+ ─+ not saved · python3 · cell 1 of 1[^]*\[\d+\] [^]*→ +42/);
	const made = readdirSync(folder).find(name => /^welcome-.*\.ipynb$/.test(name)) ?? '';
	expect(JSON.parse(readFileSync(join(folder, made), 'utf8'))).toMatchObject({cells: []});
	pressAction(terminal, 'notebook', 'undo');
	await terminal.until('This notebook has no cells');

	// A new file is created if a name is given, although one is open. An existing file is not
	// changed.
	await openAssistant(terminal);
	terminal.type('/cells other');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/other\.ipynb ─+ not saved · python3 · cell 1 of 1/);
	await openAssistant(terminal);
	terminal.type(`/cells ${made}`);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(`${made} is on welcome already and was not overwritten`);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until(/other\.ipynb ─+ not saved/);
	pressAction(terminal, 'notebook', 'undo');
	await terminal.gone(/other\.ipynb ─+ not saved/);
});

test('the cells that a task ran go to the end of the open notebook as one step, and only saving writes them', async () => {
	const {model, terminal, folder} = await begin({columns: 100});
	const table =
		'class Table:\n    def __repr__(self): return "a table"\n    def _repr_html_(self): return "<b>7</b>"\nTable()\n';
	model.play([
		steps(step('run', '', 'print("rows:", 7 * 6)\n'), step('shell', '', 'rm -rf data\n')),
		steps(step('run', '', table)),
		steps(step('run', '', 'no_such_name\n')),
		steps(step('done', '', 'It is counted.\n')),
	]);
	const file = join(folder, 'made.ipynb');
	const before = notebookText(
		newNotebook('python3', [
			{kind: 'code', source: 'first = 1'},
			{kind: 'code', source: 'second = 2'},
		]),
	);
	writeFileSync(file, before);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.gone('⏎ send');
	await order(terminal, 'file made.ipynb');
	await terminal.until('second = 2');
	await openAssistant(terminal);
	terminal.type('/work count');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/run 1 line · waits for your/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Allow this on welcome? run 1 line');
	pressAction(terminal, 'permit', 'task');
	await terminal.until(/rm -rf data · waits for your/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Allow this on welcome? shell');
	pressAction(terminal, 'permit', 'refuse');
	await terminal.until(/Done\. It is counted\.[^]*It ran 3 cells: \/cells puts them/);
	terminal.type('/cells');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Added as cells 3-5/5 of made.ipynb, not saved yet');
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until(/made\.ipynb ─+ not saved · python3 · cell 5 of 5[^]*no_such_name/);
	expect(readFileSync(file, 'utf8')).toBe(before);
	pressAction(terminal, 'notebook', 'undo');
	await terminal.until(/made\.ipynb ─+ saved · python3 · cell 1 of 2/);

	await openAssistant(terminal);
	terminal.type('/cells');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('Added as cells 3-5/5 of made.ipynb, not saved yet');
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until(/made\.ipynb ─+ not saved · python3 · cell 5 of 5/);
	await openAssistant(terminal);
	terminal.type('/cells');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until('These 3 cells are in made.ipynb already');
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until(/made\.ipynb ─+ not saved · python3 · cell 5 of 5/);
	pressAction(terminal, 'notebook', 'save');
	await terminal.until('made.ipynb is saved');
	const saved: unknown = JSON.parse(readFileSync(file, 'utf8'));
	expect(notebookFaults(saved)).toEqual([]);
	const data = {'text/plain': ['a table'], 'text/html': ['<b>7</b>']};
	expect(saved).toMatchObject({
		cells: [
			{source: ['first = 1']},
			{source: ['second = 2']},
			{source: ['print("rows:", 7 * 6)'], outputs: [{output_type: 'stream', text: ['rows: 42\n']}]},
			{outputs: [{output_type: 'execute_result', data}]},
			{source: ['no_such_name'], outputs: [{output_type: 'error', ename: 'NameError'}]},
		],
	});
});

test(
	'Esc stops a task after the step that runs, and that one too when pressed again',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using model = await modelOf(home);
		model.play([
			steps(
				step('run', '', 'open("begun", "w").close()\nimport time\nwhile True: time.sleep(0.01)\n'),
				step('run', '', 'open("never", "w").close()\n'),
			),
		]);
		await using terminal = await openProgram({home, columns: 90, rows: 40});
		await startWelcome(terminal);
		const folder = serverFolder(serviceFolder(home));
		await openAssistant(terminal);
		terminal.type('/work loop');
		pressAction(terminal, 'assistant', 'send');
		await terminal.until(/run 3 lines · waits for your/);
		pressAction(terminal, 'assistant', 'send');
		await terminal.until('Allow this on welcome? run 3 lines');
		pressAction(terminal, 'permit', 'task');
		await terminal.untilTrue('the step runs', () => existsSync(join(folder, 'begun')));
		pressAction(terminal, 'assistant', 'leave');
		await terminal.until('The task stops after the running step');
		expect(terminal.screen()).toContain('run 3 lines · runs');
		pressAction(terminal, 'assistant', 'leave');
		await terminal.until(/run 3 lines · [^]*failed: stopped while it ran[^]*Stopped\./);
		expect(existsSync(join(folder, 'never'))).toBe(false);
	},
);

test(
	'after kill -9 in the middle of a step the next program runs nothing again and takes the writes back',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using model = await modelOf(home);
		model.play([
			steps(
				step('write', 'README.md', 'gone\n'),
				step('run', '', 'open("runs", "a").write("x")\nimport time\nwhile True: time.sleep(0.01)\n'),
			),
			steps(step('run', '', 'print("looks again")\n')),
			steps(step('done', '', 'It went on.\n')),
		]);
		let before = '';
		let folder = '';
		{
			await using terminal = await openProgram({home, columns: 90, rows: 40});
			await startWelcome(terminal);
			folder = serverFolder(serviceFolder(home));
			before = readFileSync(join(folder, 'README.md'), 'utf8');
			await openAssistant(terminal);
			terminal.type('/work go');
			pressAction(terminal, 'assistant', 'send');
			await terminal.until(/write README\.md, 1 line · waits for your/);
			pressAction(terminal, 'assistant', 'send');
			await terminal.until('Allow this on welcome? write README.md');
			pressAction(terminal, 'permit', 'last');
			pressAction(terminal, 'permit', 'once');
			await terminal.until(/run 3 lines · waits for your/);
			pressAction(terminal, 'assistant', 'send');
			await terminal.until('Allow this on welcome? run 3 lines');
			pressAction(terminal, 'permit', 'task');
			await terminal.untilTrue('the step runs', () => existsSync(join(folder, 'runs')));
			terminal.kill('SIGKILL');
			await terminal.exit;
		}
		await untilNoProcessUses(home.folder);
		const asked = model.asked.length;
		expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('gone\n');
		await using terminal = await openProgram({home, columns: 90, rows: 40, args: ['--fresh']});
		await startWelcome(terminal);
		await openAssistant(terminal);
		await terminal.until(/› \/work go/);
		terminal.type('/work');
		pressAction(terminal, 'assistant', 'send');
		// Permissions that the task had have ended with the program that gave them.
		await terminal.until(
			/Resuming go\.[^]*write README\.md, 1 line · ok[^]*run 3 lines · outcome unknown[^]*run 1 line · waits for your/,
		);
		expect(model.heard()).toContain('its outcome is unknown');
		pressAction(terminal, 'assistant', 'send');
		await terminal.until('Allow this on welcome? run 1 line');
		pressAction(terminal, 'permit', 'once');
		await terminal.until(/run 1 line · \d+\.\d s · ok[^]*Done\. It went on\./);
		terminal.type('/work');
		pressAction(terminal, 'assistant', 'send');
		await terminal.until('The last task has ended');
		terminal.type('/undo');
		pressAction(terminal, 'assistant', 'send');
		await terminal.until('Restored: README.md');
		expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(before);
		expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('x');
		expect(model.asked.length).toBe(asked + 2);
	},
);
