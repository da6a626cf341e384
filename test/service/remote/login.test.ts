// @module-tag long
// A host whose SSH key has a passphrase. It is locked until `ssh login` has asked for the
// passphrase.
import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {onTerminal} from '../../cli/support.ts';
import {labMissing, sharedLab} from '../../support/lab/lab.ts';
import {labHome} from '../../support/lab-home.ts';
import {runCommand} from '../../support/program.ts';
import {waitFor} from '../../support/wait-for.ts';

test.skipIf(labMissing !== null)(
	'a host that asks for a passphrase is locked, says what to do, and is used after one sign-in',
	async () => {
		const lab = await sharedLab();
		await using home = await labHome(lab);
		const ssh = join(home.folder, '.ssh');
		const key = join(ssh, 'locked');
		copyFileSync(join(lab.folder, 'client/id_ed25519'), key);
		execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', 'open sesame', '-f', key]);
		const config = readFileSync(join(ssh, 'config'), 'utf8');
		writeFileSync(join(ssh, 'config'), config.replace(/IdentityFile .*/, `IdentityFile ${key}`));

		// The lab's `ssh` uses the lab's own configuration.
		const bin = join(home.folder, 'bin');
		mkdirSync(bin);
		writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${ssh}/config' "$@"\n`, {mode: 0o755});
		const env = {PATH: `${bin}:${home.env['PATH']}`};
		const run = async (...words: readonly string[]) => runCommand(words, {home, env});

		const refused = await run('ssh', 'add', 'lab-dash');
		expect(refused.code).not.toBe(0);
		expect(refused.stderr).toMatch(/svc-tui ssh login lab-dash/);
		const signedIn = await onTerminal(['ssh', 'login', 'lab-dash'], {
			home,
			env,
			type: {after: /passphrase for key .*: $/, text: 'open sesame\r'},
		});
		expect([signedIn.code, signedIn.text]).toEqual([0, expect.stringContaining('lab-dash')]);
		expect(signedIn.text).not.toContain('sesame');
		expect(await run('ssh', 'add', 'lab-dash')).toMatchObject({
			stdout: expect.stringContaining('lab-dash was added') as string,
		});
		// The list may arrive before the connection is open, if the machine is busy.
		await waitFor(async () => expect((await run('ssh', 'list')).stdout).toMatch(/^lab-dash +connected/m));
		expect((await run('ssh', 'remove', 'lab-dash')).stdout).toContain('lab-dash was removed');
		// The sign-in's connection has ended too.
		expect((await lab.root('pgrep', '-u', 'dash', '-a')).stdout).toBe('');
	},
);
