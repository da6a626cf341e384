// @module-tag long
// `input()` and `getpass()` over the live link, on both engines of the local service.
import {describe, expect, test} from 'vitest';
import type {LiveCell} from '../../../src/api/client-types.ts';
import {findJupyter} from '../../../src/engines/jupyter/installation.ts';
import {linked, runNow, textOf} from '../../support/live-link.ts';
import {waitFor} from '../../support/wait-for.ts';

const missing = findJupyter(process.env) === null;
const asksFor = async (cell: LiveCell, what: 'a line' | 'a secret'): Promise<void> =>
	waitFor(() => expect(cell.asks()).toMatchObject({isSecret: what === 'a secret'}));

for (const engine of ['pyodide', 'jupyter'] as const)
	describe.skipIf(engine === 'jupyter' && missing)(`code that asks, ${engine}`, () => {
		test('a line and a secret: the input arrives, and only the line is shown in the cell', async () => {
			await using cut = await linked(engine);
			const cell = await runNow(
				cut.live,
				'from getpass import getpass\nprint("first")\nname = input("name? ")\nword = getpass("word? ")\nagain = input()\nprint(name == "Zoë 🙂", len(word), word[::-1], repr(again))',
			);
			await asksFor(cell, 'a line');
			expect(textOf(cell)).toBe('first\nname? ');
			cell.answer('Zoë 🙂');
			expect(cell.asks()).toBeNull();
			await asksFor(cell, 'a secret');
			expect(textOf(cell)).toBe('first\nname? Zoë 🙂\nword? ');
			cell.answer('hunter-0815');
			await asksFor(cell, 'a line');
			cell.answer('');
			expect(await cell.ended).toEqual({kind: 'done'});
			expect(textOf(cell)).toBe("first\nname? Zoë 🙂\nword? \n\nTrue 11 5180-retnuh ''\n");
			expect(JSON.stringify(cell.now())).not.toContain('hunter-0815');
			expect(cell.asks()).toBeNull();
		});

		test('an interrupt ends the question, and the next cell runs', async () => {
			await using cut = await linked(engine);
			const cell = await runNow(cut.live, 'input("go on? ")');
			await asksFor(cell, 'a line');
			cell.interrupt();
			expect(await cell.ended).toEqual({kind: 'done'});
			expect(textOf(cell)).toBe('go on? ');
			expect(cell.now().outputs.at(-1)).toMatchObject({ename: 'KeyboardInterrupt'});
			// No question is open.
			cell.answer('late');
			const next = await runNow(cut.live, 'print(input("next? "))');
			await asksFor(next, 'a line');
			next.answer('here');
			await next.ended;
			expect(textOf(next)).toBe('next? here\nhere\n');
		});

		test('one interrupt is one: what clears up after it is not interrupted again', async () => {
			await using cut = await linked(engine);
			const cell = await runNow(
				cut.live,
				'import time\ntry:\n    input("go on? ")\nfinally:\n    time.sleep(1.5)\n    print("cleared up")',
			);
			await asksFor(cell, 'a line');
			cell.interrupt();
			expect(await cell.ended).toEqual({kind: 'done'});
			expect(textOf(cell)).toBe('go on? cleared up\n');
			expect(cell.now().outputs.at(-1)).toMatchObject({ename: 'KeyboardInterrupt'});
		});

		test('a connection that broke while it waits is opened again, and the answer arrives once', async () => {
			await using cut = await linked(engine);
			const cell = await runNow(cut.live, 'print([input("one? "), input("two? ")])');
			await asksFor(cell, 'a line');
			cut.proxy.tear();
			cell.answer('1');
			await waitFor(() => expect(textOf(cell)).toBe('one? 1\ntwo? '));
			await asksFor(cell, 'a line');
			cut.proxy.cut();
			cell.answer('2');
			expect(await cell.ended).toEqual({kind: 'done'});
			expect(textOf(cell)).toBe("one? 1\ntwo? 2\n['1', '2']\n");
			expect(cut.proxy.cuts()).toBeGreaterThanOrEqual(2);
		});
	});
