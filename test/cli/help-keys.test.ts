import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {newHome} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';

test('help keys reads the settings, and reports when they cannot be read', async () => {
	await using home = await newHome();
	const folder = join(home.folder, '.config/svc-tui');
	await mkdir(folder, {recursive: true, mode: 0o700});
	await writeFile(join(folder, 'settings.json'), '{"keys": {"servers.start": ["x", "ctrl+t"]}}', {
		mode: 0o600,
	});
	expect(await runHere(['help', 'keys'], {home})).toMatchObject({
		code: 0,
		stderr: '',
		stdout: expect.stringMatching(/^ {2}x, Ctrl\+t +servers\.start +start \(your keys\)$/m),
	});
	expect((await runHere(['help', 'settings'], {home})).stdout).toContain('svc-tui help keys lists the');
	await writeFile(join(folder, 'settings.json'), '{', {mode: 0o600});
	const {code, stdout} = await runHere(['help', 'keys'], {home});
	expect(code).toBe(0);
	expect(stdout).toMatch(/^ {2}s +servers\.start +start$/m);
	expect(stdout).toMatch(/Default keys shown: the settings could not be read \(.*settings\.json/);
});
