// @module-tag long
// Pythons that are selected by setup lines (environment modules, conda) or by uv. The modules are
// real; conda and uv are scripts that behave as documented.
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {labMissing, startLab} from '../../support/lab/lab.ts';
import {labHome, type LabHome} from '../../support/lab-home.ts';

const hasModules = existsSync('/usr/bin/modulecmd');
if (!hasModules)
	process.stderr.write('SKIPPED: setup lines with modules (Debian: apt-get install environment-modules).\n');

const configure = ({folder}: LabHome, host: string, fields: object): void => {
	const config = join(folder, '.config/svc-tui');
	mkdirSync(config, {recursive: true});
	const hosts = {[host]: {loginNode: true, ...fields}};
	writeFileSync(join(config, 'settings.json'), JSON.stringify({hosts}), {mode: 0o600});
};
let servers = 0;
const runOn = async ({checked}: LabHome, compute: string, environment: string, code: string) => {
	const how = ['--environment', environment, '--compute', compute, '--wait'];
	const name = `gp${servers++}`;
	await checked('server', 'create', name, ...how);
	const printed = await checked('run', name, '-c', code);
	await checked('server', 'stop', name);
	return printed;
};

/** Shell commands for a virtual environment with its own kernel, as pip would install it. */
const venv = (path: string): string => `python3 -m venv --system-site-packages --without-pip ${path}
mkdir -p ${path}/share/jupyter/kernels/python3
cat >${path}/share/jupyter/kernels/python3/kernel.json <<END
{"argv": ["$HOME/${path}/bin/python", "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "Python 3", "language": "python"}
END
`;

/** Shell commands for a site's Python in a folder that only a module adds to PATH. */
const MODULE = `mkdir -p apps modules/science
${venv('apps/science')}
cat >modules/science/2026 <<END
#%Module1.0
prepend-path PATH $HOME/apps/science/bin
setenv SCIENCE_LICENCE granted
END`;

test.skipIf(labMissing !== null || !hasModules)(
	'setup lines load a module on a host and on a node, and its Python is an environment',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		expect(await lab.as('alice', MODULE)).toMatchObject({code: 0});
		configure(home, 'lab', {setup: 'module use ~/modules\nmodule load science/2026'});
		expect(await home.checked('ssh', 'add', 'lab')).toContain('lab-science');
		const code = 'import os, sys; print(sys.prefix, os.environ["SCIENCE_LICENCE"])';
		for (const compute of ['lab-cpux0', 'lab-gpu-cpux0'])
			expect(await runOn(home, compute, 'lab-science', code)).toBe(
				`${lab.home('alice')}/apps/science granted\n`,
			);

		// If a module does not exist, the log has the error, and other Pythons still work.
		configure(home, 'lab', {setup: 'module use ~/modules\nmodule load nothing/1'});
		await home.checked('ssh', 'add', 'lab');
		expect(await runOn(home, 'lab-cpux0', 'lab-python3', 'print(1)')).toBe('1\n');
	},
);

/** Shell commands for a fake conda, whose `activate` is a shell function. */
const CONDA = `mkdir -p opt/forge/etc/profile.d opt/forge/envs
${venv('opt/forge/envs/ml')}
cat >opt/forge/etc/profile.d/conda.sh <<'END'
conda() {
	[ "$1" = activate ] || return 1
	CONDA_PREFIX=$HOME/opt/forge/envs/$2 CONDA_DEFAULT_ENV=$2
	PATH=$CONDA_PREFIX/bin:$PATH
	export CONDA_PREFIX CONDA_DEFAULT_ENV PATH
}
END`;

/**
 * Shell commands for a fake `uv`. It runs a command in an environment with packages, and forwards
 * signals to it.
 */
const UV = `mkdir -p .local/bin .cache/uv
${venv('.cache/uv/env')}
cat >.local/bin/uv <<'END'
#!/bin/sh
[ "$1 $2 $3 $4 $5 $6" = 'run --no-project --with jupyter-server --with ipykernel' ] || exit 2
shift 6
echo 'Installed 41 packages in 812ms' >&2
VIRTUAL_ENV=$HOME/.cache/uv/env PATH=$HOME/.cache/uv/env/bin:$PATH "$@" &
child=$!
trap 'kill -TERM $child' TERM
trap 'kill -INT $child' INT
while kill -0 $child 2>/dev/null; do wait $child; result=$?; done
exit $result
END
chmod 755 .local/bin/uv`;

test.skipIf(labMissing !== null)(
	'setup lines activate conda, and uv brings a Python of its own',
	async () => {
		await using lab = await startLab();
		await using home = await labHome(lab);
		expect(await lab.as('zoe', CONDA)).toMatchObject({code: 0});
		configure(home, 'lab-zoe', {setup: '. ~/opt/forge/etc/profile.d/conda.sh\nconda activate ml'});
		expect(await home.checked('ssh', 'add', 'lab-zoe')).toContain('lab-zoe-ml');
		const code = 'import os, sys; print(sys.prefix, os.environ.get("CONDA_DEFAULT_ENV"))';
		expect(await runOn(home, 'lab-zoe-cpux0', 'lab-zoe-ml', code)).toBe(
			`${lab.home('zoe')}/opt/forge/envs/ml ml\n`,
		);

		// The PATH of this user has no folder of uv.
		expect(await lab.as('dash', UV)).toMatchObject({code: 0});
		configure(home, 'lab-dash', {});
		await home.checked('ssh', 'add', 'lab-dash');
		expect(await runOn(home, 'lab-dash-cpux0', 'lab-dash-uv', 'import sys; print(sys.prefix)')).toBe(
			`${lab.home('dash')}/.cache/uv/env\n`,
		);
		expect((await lab.root('pgrep', '-u', 'dash', '-af', 'uv|jupyter')).stdout).toBe('');
	},
);
