// @module-tag long
import {expect, test} from 'vitest';
import {labMissing, startLab} from '../support/lab/lab.ts';
import {labHome} from '../support/lab-home.ts';
import {pressAction} from '../support/press-action.ts';
import {openProgram} from '../support/program.ts';

test.skipIf(labMissing !== null)('a host is added with its probe, listed, and removed by keys', async () => {
	await using lab = await startLab();
	await using home = await labHome(lab);
	await using terminal = await openProgram({home, columns: 120, rows: 40});
	await terminal.until(/welcome/);
	pressAction(terminal, 'anywhere', 'profiles');
	await terminal.until(/╭ Profiles/);
	terminal.type('ssh');
	await terminal.until('› ssh');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/╭ SSH hosts[^]*In ~\/\.ssh\/config[^]*lab-bob/);
	terminal.type('lab-bob');
	await terminal.until('› lab-bob');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(
		/╭ lab-bob ─[^]*Remove[^]*CPUs +\d+[^]*Memory +\d+G[^]*GPUs +none[^]*Python 3\.\S+ +\/usr\/bin\/python3[^]*Partition gpu +4 of 4 a100 free/,
	);
	expect(await home.checked('compute', '--host', 'lab-bob-gpu')).toContain('a100');
	terminal.type('remove');
	await terminal.until('› remove');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('lab-bob was removed. Nothing on it was changed');
	expect((await home.run('ssh', 'list')).stderr).toContain('No hosts yet.');
	pressAction(terminal, 'global', 'quit');
	await expect(terminal.exit).resolves.toMatchObject({code: 0});
});
