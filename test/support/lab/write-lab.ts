import {execFileSync} from 'node:child_process';
import {chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {
	BANNER,
	clientConfig,
	GRES_CONF,
	hostsText,
	knownHosts,
	LAB_NODES,
	LAB_USERS,
	MACHINES,
	slurmConf,
	sshdConfig,
	usersText,
	type LabPlan,
} from './lab-files.ts';

/** Writes all files of a lab. */
export const writeFiles = (plan: LabPlan): void => {
	const {folder} = plan;
	const at = (...names: readonly string[]): string => join(folder, ...names);
	chmodSync(folder, 0o755);
	for (const name of ['etc/slurm', 'home', 'run', 'log', 'state/controller', 'bin'])
		mkdirSync(at(name), {recursive: true, mode: 0o755});
	for (const node of LAB_NODES) {
		mkdirSync(at(`state/slurmd.${node}`));
		mkdirSync(at(`tmp.${node}`));
		chmodSync(at(`tmp.${node}`), 0o1777);
	}
	mkdirSync(at('client'), {mode: 0o700});
	for (const [path, comment] of [
		['client/id_ed25519', 'lab'],
		['etc/host_key', 'host'],
	] as const)
		execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', comment, '-f', at(path)]);
	const {passwd, group} = usersText(plan);
	writeFileSync(at('etc/passwd'), readFileSync('/etc/passwd', 'utf8') + passwd);
	writeFileSync(at('etc/group'), readFileSync('/etc/group', 'utf8') + group);
	writeFileSync(at('etc/hosts'), hostsText(plan));
	writeFileSync(at('etc/banner'), BANNER);
	for (const machine of MACHINES) writeFileSync(at(`etc/sshd_config.${machine}`), sshdConfig(plan, machine));
	writeFileSync(at('etc/munge.key'), Buffer.from(crypto.getRandomValues(new Uint8Array(1024))), {
		mode: 0o400,
	});
	writeFileSync(at('etc/slurm/slurm.conf'), slurmConf(plan));
	writeFileSync(at('etc/slurm/gres.conf'), GRES_CONF);
	writeFileSync(at('client/config'), clientConfig(plan));
	writeFileSync(at('client/known_hosts'), knownHosts(plan, readFileSync(at('etc/host_key.pub'), 'utf8')));
	writeFileSync(at('bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${at('client/config')}' "$@"\n`, {
		mode: 0o755,
	});
	for (const {name, uid} of LAB_USERS) {
		const home = at('home', name);
		mkdirSync(join(home, '.ssh'), {recursive: true, mode: 0o700});
		copyFileSync(at('client/id_ed25519.pub'), join(home, '.ssh/authorized_keys'));
		for (const path of [home, join(home, '.ssh'), join(home, '.ssh/authorized_keys')])
			chownSync(path, uid, uid);
	}
};
