import {existsSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {LAB_USERS} from './lab-files.ts';
import {processesUsing} from '../processes.ts';
import {labMissing, sharedLab, startLab} from './lab.ts';

test.skipIf(labMissing !== null)(
	'a lab has a login node, nodes with GPUs, and users of each shell',
	async () => {
		const lab = await sharedLab();
		const hosts = readFileSync('/etc/hosts', 'utf8');
		const {stdout: partitions} = await lab.as('alice', 'sinfo -h -o "%P %D %G" | sort');
		expect(partitions).toBe('gpu* 2 gpu:a100:2\nspot 2 gpu:a100:2\n');
		for (const {name, shell} of LAB_USERS) {
			const alias = name === 'alice' ? 'lab' : `lab-${name}`;
			const {stdout, stderr} = await lab.ssh(alias, 'hostname; id -un; echo "$SHELL"');
			expect(stdout, stderr).toBe(`login1\n${name}\n${shell}\n`);
		}
		const script = 'srun -n1 --gres=gpu:1 -w n2 sh -c "hostname; echo \\$CUDA_VISIBLE_DEVICES; ls /tmp"';
		expect((await lab.as('bob', script)).stdout).toBe('n2\n0\n');
		// Files of the machine itself are unchanged.
		expect(readFileSync('/etc/hosts', 'utf8')).toBe(hosts);
		expect(readFileSync('/etc/passwd', 'utf8')).not.toContain('alice');
	},
);

test.skipIf(labMissing !== null)(
	'a lab loses its controller, and nothing of it remains at the end',
	async () => {
		await using lab = await startLab();
		await lab.stopController();
		const asked = await lab.as('alice', 'timeout 2 squeue');
		expect([asked.code === 0, asked.stdout]).toEqual([false, '']);
		await lab.startController();
		expect((await lab.as('alice', 'squeue -h')).code).toBe(0);
		await lab[Symbol.asyncDispose]();
		expect(await processesUsing(lab.folder)).toEqual([]);
		expect(existsSync(lab.folder)).toBe(false);
	},
);
