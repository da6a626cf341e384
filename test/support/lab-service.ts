import {randomBytes} from 'node:crypto';
import {
	chownSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {basename, delimiter, join} from 'node:path';
import {expect} from 'vitest';
import {sharedLab, type Lab} from './lab/lab.ts';
import type {LabUser} from './lab/lab-files.ts';
import {localService, type LocalService} from './local-service.ts';
import {tempFolder} from './temp-folder.ts';
import {waitFor} from './wait-for.ts';

/** Changes environment variables of this process until the end of the scope. */
const withEnvironment = (changes: Readonly<Record<string, string>>): Disposable => {
	const before = Object.keys(changes).map(name => [name, process.env[name]] as const);
	Object.assign(process.env, changes);
	return {
		[Symbol.dispose]() {
			for (const [name, value] of before)
				if (value === undefined) delete process.env[name];
				else process.env[name] = value;
		},
	};
};

/**
 * Installs the kernels of a folder for a user, as the user would. Files in their commands are
 * copied too, because other users may not read the checkout.
 */
const installKernels = (lab: Lab, user: LabUser, from: string | undefined): void => {
	if (from === undefined || !existsSync(join(from, 'kernels'))) return;
	const home = lab.home(user);
	const data = join(home, '.local/share/jupyter');
	mkdirSync(data, {recursive: true});
	cpSync(join(from, 'kernels'), join(data, 'kernels'), {recursive: true});
	for (const name of readdirSync(join(data, 'kernels'))) {
		const folder = join(data, 'kernels', name);
		const file = join(folder, 'kernel.json');
		const spec = JSON.parse(readFileSync(file, 'utf8')) as {readonly argv: readonly string[]};
		const argv = spec.argv.map(word => {
			if (!word.endsWith('.py')) return word;
			cpSync(word, join(folder, basename(word)));
			return join(folder, basename(word));
		});
		writeFileSync(file, JSON.stringify({...spec, argv}));
	}
	const {uid, gid} = statSync(home);
	for (const path of ['.local', '.local/share', '.local/share/jupyter'].map(each => join(home, each)))
		chownSync(path, uid, gid);
	for (const path of readdirSync(data, {recursive: true})) chownSync(join(data, String(path)), uid, gid);
};

/**
 * Starts a service whose servers are on a host of the shared lab, reached as `user`. The caller's
 * `JUPYTER_PATH` may name a folder with more kernels.
 */
export const labService = async (user: LabUser): Promise<LocalService> => {
	await using starting = new AsyncDisposableStack();
	const lab = await sharedLab();
	installKernels(lab, user, process.env['JUPYTER_PATH']);
	const home = starting.use(tempFolder()).path;
	const host = `lab-${user}`;
	const config = join(home, '.config/svc-tui');
	mkdirSync(config, {recursive: true});
	mkdirSync(join(home, 'run'), {mode: 0o700});
	// Test files share the lab and its users, so each has its own folder.
	const work = `work-${randomBytes(4).toString('hex')}`;
	const settings = {hosts: {[host]: {loginNode: true, root: `~/${work}`}}};
	writeFileSync(join(config, 'settings.json'), JSON.stringify(settings), {mode: 0o600});
	expect((await lab.as(user, `mkdir ${work}`)).code).toBe(0);
	starting.use(
		withEnvironment({
			XDG_CONFIG_HOME: join(home, '.config'),
			XDG_RUNTIME_DIR: join(home, 'run'),
			PATH: `${lab.bin}${delimiter}${process.env['PATH'] ?? ''}`,
		}),
	);
	// Only a service with leases has hosts. This one waits for its first program.
	const local = starting.use(
		await localService({leased: true, leases: {first: 3_600_000}, dataFolder: join(home, 'data')}),
	);
	expect((await local.call('POST', '/local/hosts/add', {host})).status).toBe(200);
	const owned = starting.move();
	return {
		...local,
		async [Symbol.asyncDispose]() {
			await local.call('POST', '/local/hosts/stop', {server_name: 'lab'});
			await waitFor(async () => expect(await local.state('lab')).toBe('offline'), {interval: 50});
			await lab.as(user, `rm -rf ${work}`);
			await owned.disposeAsync();
		},
	};
};
