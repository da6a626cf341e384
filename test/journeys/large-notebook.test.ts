// @module-tag long
// Opens, edits, runs and saves a notebook of 1,000 cells with outputs. Only the edited cell may
// differ in the file.
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {largeNotebook} from '../support/large-notebook.ts';
import {hasNbformat, nbformatSays} from '../support/nbformat.ts';
import {notebookFaults} from '../support/notebook-schema.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {startWelcome} from './steps.ts';

test('a cell among 1,000 with outputs is found, edited, run and saved, and the others keep every byte', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 40});
	await startWelcome(terminal);
	const path = join(serverFolder(serviceFolder(home)), 'long.ipynb');
	const before = largeNotebook(1000, 6000);
	writeFileSync(path, before);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	pressAction(terminal, 'global', 'zoom');
	await terminal.gone('── 6 Assistant');
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type('file long.ipynb');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/work in it[^]*Part 0/);
	// The rest is parsed in the background, or at once when a key needs it.
	pressAction(terminal, 'viewer', 'last');
	await terminal.until('part = 999');
	pressAction(terminal, 'viewer', 'first');
	await terminal.until(/work in it[^]*Part 0/);
	pressAction(terminal, 'viewer', 'work');
	await terminal.until(/saved · python3 · cell 1 of 1000/);
	pressAction(terminal, 'notebook', 'last');
	await terminal.until('cell 1000 of 1000');
	pressAction(terminal, 'notebook', 'find');
	await terminal.until('⏎ find');
	terminal.type('part = 501');
	await terminal.until('/ part = 501');
	pressAction(terminal, 'notebookFind', 'accept');
	await terminal.until(/cell 502 of 1000/);
	await terminal.until(/\[501\] +part = 501/);
	pressAction(terminal, 'notebook', 'edit');
	await terminal.until('esc done');
	terminal.type(' # touched');
	await terminal.until(/print\("part", part\) # touched/);
	pressAction(terminal, 'notebookEdit', 'run');
	await terminal.until(/\[1\] +part = 501/);
	await terminal.until(/^.? *part 501$/m);
	expect(readFileSync(path, 'utf8')).toBe(before);
	pressAction(terminal, 'notebook', 'save');
	await terminal.until(/long\.ipynb is saved/);

	const after = readFileSync(path, 'utf8');
	const from = before.indexOf('"execution_count": 501');
	const to = before.indexOf('"id": "code-502"');
	expect(after.slice(0, from)).toBe(before.slice(0, from));
	expect(after.endsWith(before.slice(to))).toBe(true);
	expect(after.slice(from, after.indexOf('"id": "code-502"'))).toBe(
		`"execution_count": 1,
   "id": "code-501",
   "metadata": {},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "part 501\\n"
     ]
    }
   ],
   "source": [
    "part = 501\\n",
    "print(\\"part\\", part) # touched"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 502,
   `,
	);
	expect(notebookFaults(JSON.parse(after))).toEqual([]);
	if (hasNbformat) expect(nbformatSays([before, after])).toBe('valid');
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
	'text typed into 20 MB is saved while keys respond, to the last letter at an end by %s',
	async signal => {
		await using home = await newHome({keeps: true});
		const edits = join(home.folder, '.local/state/svc-tui/edits');
		const kept = (): string =>
			readdirSync(edits, {recursive: true, encoding: 'utf8'})
				.filter(name => name.endsWith('long.ipynb'))
				.map(name => readFileSync(join(edits, name), 'utf8'))
				.join('');
		{
			await using terminal = await openProgram({home, columns: 100, rows: 40});
			await startWelcome(terminal);
			writeFileSync(join(serverFolder(serviceFolder(home)), 'long.ipynb'), largeNotebook(1000, 24_000));
			pressAction(terminal, 'anywhere', 'files');
			await terminal.until('prices.ipynb');
			pressAction(terminal, 'global', 'commandLine');
			await terminal.until('Tab complete');
			terminal.type('file long.ipynb');
			pressAction(terminal, 'chooser', 'accept');
			await terminal.until(/work in it[^]*Part 0/);
			pressAction(terminal, 'viewer', 'work');
			await terminal.until(/saved · python3 · cell 1 of 1000/);
			pressAction(terminal, 'notebook', 'edit');
			await terminal.until('esc done');
			terminal.type('a');
			await terminal.until(/about it\.a/);
			await expect
				.poll(() => existsSync(edits) && kept().includes('about it.a'), {timeout: 20_000})
				.toBe(true);
			for (const letter of 'bcdefghijk') {
				terminal.type(letter);
				await terminal.until(new RegExp(`about it\\.\\w*${letter}`));
			}
			// After kill -9, at most the last seconds may be missing.
			if (signal === 'SIGKILL') await expect.poll(kept, {timeout: 20_000}).toContain('about it.abcdefghijk');
			terminal.kill(signal);
			await terminal.exit;
		}
		expect(kept()).toContain('about it.abcdefghijk');
		const rest = largeNotebook(1000, 24_000).split('"code-1"')[1];
		expect(kept().endsWith(rest ?? '?')).toBe(true);
		await using terminal = await openProgram({home, args: ['--fresh'], columns: 100, rows: 40});
		await terminal.until(/long\.ipynb.* were not saved: :edits/);
	},
);
