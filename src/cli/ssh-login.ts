import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {isHostAlias} from '../contract/names.ts';
import {label} from '../text/safe.ts';
import {CommandError, usageError, valueOf} from './command-error.ts';
import type {Context} from './context.ts';
import {connectLocal, refused} from './local-service.ts';
import {printHost} from './ssh.ts';

/** Time without any use after which the shared connection ends. */
const PERSIST = '12h';

/** Runs `ssh` in this terminal. Returns its exit code, or null if a signal ended it. */
const runSsh = async (
	context: Context,
	args: readonly string[],
	isShown: boolean,
): Promise<number | null> => {
	const child = spawn('ssh', args, {env: context.env, stdio: isShown ? 'inherit' : 'ignore'});
	try {
		const [code] = (await once(child, 'close')) as [number | null];
		return code;
	} catch {
		throw new CommandError('config', 'No ssh on this machine.', 'Install the OpenSSH client.');
	}
};

/**
 * Runs `ssh login`: opens the connection to a host in this terminal, where ssh may ask for
 * passwords and codes. The service uses the same connection, but never receives them.
 */
export const login = async (context: Context, host: string): Promise<void> => {
	if (!isHostAlias(host))
		throw usageError(`${label(host, 60)} is neither an alias of ~/.ssh/config nor a host name.`);
	if (context.ask === undefined)
		throw usageError('Cannot sign in: no terminal.', 'ssh asks for passwords and codes in a terminal.');
	const {client} = await connectLocal(context);
	const {control} = valueOf(await client.hostControl(host, {signal: context.signal}));
	if ((await runSsh(context, ['-S', control, '-O', 'check', host], false)) !== 0) {
		// A killed connection leaves its socket, and the next one would not be shared.
		rmSync(control, {force: true});
		const options = [
			`ControlPersist=${PERSIST}`,
			'ControlMaster=yes',
			'ClearAllForwardings=yes',
			'RemoteCommand=none',
			'PermitLocalCommand=no',
			'ServerAliveInterval=5',
			'ServerAliveCountMax=3',
			'StreamLocalBindUnlink=yes',
			'StreamLocalBindMask=0177',
		].flatMap(option => ['-o', option]);
		const code = await runSsh(context, ['-S', control, '-T', '-a', '-x', ...options, host, 'exit 0'], true);
		if (code !== 0)
			throw new CommandError(
				'refused',
				`ssh did not connect to ${label(host, 60)}.`,
				`ssh -v ${host} shows more.`,
			);
	}
	const reply = await client.addHost(host, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	await printHost(context, reply.value);
};
