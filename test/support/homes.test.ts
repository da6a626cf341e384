import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {expect, test} from 'vitest';
import {untilNoProcessUses} from './processes.ts';
import {tempFolder} from './temp-folder.ts';

test('a process that stays in a folder is named and killed', async () => {
	using temp = tempFolder();
	const child = spawn('sleep', ['600'], {cwd: temp.path, stdio: 'ignore'});
	await once(child, 'spawn');
	const ended = once(child, 'exit');
	await expect(untilNoProcessUses(temp.path, 0)).rejects.toThrow(`killed now:\n${child.pid} sleep 600`);
	expect(await ended).toEqual([null, 'SIGKILL']);
	await untilNoProcessUses(temp.path);
});
