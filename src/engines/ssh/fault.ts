import {oneLine} from './plain.ts';

/**
 * Reason why a host cannot be used. `away`: currently unreachable; retrying makes sense. `locked`:
 * the user must sign in. `key`: the host's key is unknown or has changed. `shell`: the login shell
 * does not run scripts. `program`: this machine has no `ssh`. `refused`: the host rejected the
 * request.
 */
export type HostFaultKind = 'away' | 'locked' | 'key' | 'shell' | 'program' | 'refused';

/** A host cannot be used. The message is a sentence that includes the fix. */
export class HostFault extends Error {
	readonly kind: HostFaultKind;
	constructor(kind: HostFaultKind, message: string) {
		super(message);
		this.kind = kind;
	}
}

/** True if only the user can solve the problem, so that the program does not retry. */
export const needsUser = ({kind}: HostFault): boolean => kind !== 'away';

const lastLine = (text: string): string =>
	oneLine(
		text
			.trim()
			.split('\n')
			.findLast(line => line.trim() !== '') ?? '',
	);

/** Converts the error output of OpenSSH's client into a fault. */
export const faultOf = (host: string, err: string, isCut = false): HostFault => {
	if (/REMOTE HOST IDENTIFICATION HAS CHANGED|host key .* has changed/i.test(err))
		return new HostFault(
			'key',
			`The key of ${host} has changed since you last connected: if you expected that, run ssh-keygen -R ${host}, then ssh ${host}. Nothing was sent.`,
		);
	if (/Host key verification failed|No .* host key is known/i.test(err))
		return new HostFault(
			'key',
			`This machine does not know the key of ${host}: run ssh ${host} once, and check the fingerprint. Nothing was sent.`,
		);
	if (/Permission denied \(|Too many authentication failures|No more authentication methods/i.test(err))
		return new HostFault(
			'locked',
			`${host} asks for a password or a code: run svc-tui ssh login ${host} once; the connection is then shared.`,
		);
	if (/ENOENT/.test(err) && /spawn ssh/.test(err))
		return new HostFault('program', 'No ssh on this machine: install the OpenSSH client.');
	if (/Could not resolve hostname/i.test(err))
		return new HostFault(
			'away',
			`The name ${host} cannot be resolved: add it to ~/.ssh/config, or correct it.`,
		);
	const said = lastLine(err);
	return new HostFault(
		'away',
		`${host} cannot be reached${isCut ? ' (no response)' : said === '' ? '' : ` (${said})`}.`,
	);
};
