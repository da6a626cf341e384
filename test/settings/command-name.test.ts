import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandName} from '../../src/settings/command-name.ts';
import {tempFolder} from '../support/temp-folder.ts';

test('a command that is named for the user can be typed there: installed, in a clone, or with npm start', () => {
	using folder = tempFolder();
	const env = {PATH: `:${folder.path}`};
	const script = '/home/me/a clone/dist/boot.js';
	expect(commandName(env, script, '/home/me/a clone')).toBe('dist/svc-tui');
	expect(commandName(env, script, '/home/me')).toBe("'a clone/dist/svc-tui'");
	expect(commandName(env, script, '/tmp')).toBe("'/home/me/a clone/dist/svc-tui'");
	expect(commandName({...env, npm_lifecycle_event: 'start'}, script, '/home/me/a clone')).toBe(
		'npm start --',
	);

	const installed = join(folder.path, 'svc-tui');
	writeFileSync(installed, '');
	expect(commandName(env, script, '/tmp')).not.toBe('svc-tui');
	chmodSync(installed, 0o755);
	expect(commandName(env, script, '/tmp')).toBe('svc-tui');
});
