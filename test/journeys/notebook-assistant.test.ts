// @module-tag long
// The assistant together with a notebook: it explains a failed cell, a cell is attached to a
// question, and code of an answer replaces a cell's. Questions typed during an answer wait until it
// ends.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {startModelServer, type ModelServer, type ModelStream} from '../support/model-server.ts';
import {textFor} from '../support/open-notebook.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {ask, openAssistant, order, startWelcome} from './steps.ts';

const SIZE = {columns: 100, rows: 40};

const withModel = async (
	home: Home,
	answer: (stream: ModelStream) => Promise<void>,
): Promise<ModelServer> => {
	const server = await startModelServer(answer);
	const folder = join(home.folder, '.config/svc-tui');
	mkdirSync(folder, {recursive: true});
	writeFileSync(
		join(folder, 'models.json'),
		JSON.stringify({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}),
	);
	return server;
};
const lastMessage = (server: ModelServer): string => server.asked.at(-1)?.body.messages.at(-1)?.content ?? '';
const finish = async (stream: ModelStream, text: string): Promise<void> => {
	await stream.text(text);
	await stream.finish();
	await stream.done();
};

test('a failed cell of a notebook is explained with the cells it needs, and an answer changes it', async () => {
	await using home = await newHome();
	await using model = await withModel(home, async stream =>
		finish(stream, 'Use this:\n\n```python\nprint(rows[1:2])\n```\n'),
	);
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	writeFileSync(
		join(serverFolder(serviceFolder(home)), 'rows.ipynb'),
		textFor('python3', 'rows = []', 'unused = 1', 'def first(of):\n    return of[0]', 'print(first(rows))'),
	);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('rows.ipynb');
	await order(terminal, 'file rows.ipynb');
	await terminal.until(/\[ \] +rows = \[\]/);
	pressAction(terminal, 'viewer', 'work');
	await terminal.until(/cell 1 of 4/);
	pressAction(terminal, 'notebook', 'runAll');
	await terminal.until('IndexError: list index out of range');
	pressAction(terminal, 'notebook', 'last');
	await terminal.until(/cell 4 of 4/);
	pressAction(terminal, 'notebook', 'place');
	await terminal.until(/cell 3, line 2 +return of\[0\]/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/cell 3 of 4/);
	pressAction(terminal, 'notebook', 'last');
	pressAction(terminal, 'notebook', 'attach');
	await terminal.until('@cell is attached to the next question');
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until('esc tree');
	pressAction(terminal, 'notebook', 'explain');
	const packet = await terminal.until('Send this to the assistant?');
	expect(packet).toContain('Explain this error of cell 4: IndexError: list index out of range');
	pressAction(terminal, 'packet', 'send');
	await terminal.until(/rows\[1:2\]/);
	expect(lastMessage(model)).toMatch(
		/Cell 1, which defines or changes rows:[^]*rows = \[\][^]*Cell 3, which defines or changes first:/,
	);
	expect(lastMessage(model)).not.toContain('unused');
	terminal.type('and @error');
	await terminal.until(/with @cell [^]*@error/);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/rows\[1:2\][^]*rows\[1:2\]/);
	expect(lastMessage(model)).toMatch(
		/^and @error[^]*Cell 4 of rows\.ipynb:[^]*print\(first\(rows\)\)[^]*IndexError/,
	);
	// If the assistant is the main pane, Esc moves to the answers.
	pressAction(terminal, 'anywhere', 'assistant');
	await terminal.until('esc read the answers');
	pressAction(terminal, 'assistant', 'leave');
	pressAction(terminal, 'turns', 'changeCell');
	await terminal.until(
		/Change cell 4 of rows\.ipynb\?[^]*- ?print\(first\(rows\)\)[^]*\+ ?print\(rows\[1:2\]\)/,
	);
	pressAction(terminal, 'cellChange', 'accept');
	await terminal.until('Cell 4 of rows.ipynb is changed, not saved yet');
	pressAction(terminal, 'turns', 'addCell');
	await terminal.until('Added as cell 5/5 of rows.ipynb');
});

test('a message typed during an answer waits, can be taken back, and is sent when the answer ends', async () => {
	await using home = await newHome();
	const open: ModelStream[] = [];
	await using model = await withModel(home, async stream => {
		await stream.text(`It begins: ${stream.asked.body.messages.at(-1)?.content}. `);
		open.push(stream);
	});
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openAssistant(terminal);
	ask(terminal, 'one');
	await terminal.until('It begins: one.');
	ask(terminal, 'two');
	await terminal.until(/queued two/);
	pressAction(terminal, 'assistant', 'earlier');
	await terminal.gone(/queued/);
	await terminal.until(/› two$/m);
	ask(terminal, ' and a half');
	await terminal.until(/queued two and a half/);
	ask(terminal, 'three');
	await terminal.until(/queued two and a half …/);
	await finish(open[0]!, 'It ends.');
	await terminal.until(/It begins: two and a half/);
	expect(lastMessage(model)).toBe('two and a half\n\nthree');
	ask(terminal, 'four');
	await terminal.until(/queued four/);
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until('The queued message is in the field again');
	await terminal.until(/› four$/m);
	expect(model.asked).toHaveLength(2);
});
