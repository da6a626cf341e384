import {isHostAlias} from '../../contract/names.ts';

/**
 * Options of every `ssh` call. Connections use the user's own configuration, except for its
 * forwardings, commands and terminals. No option weakens the verification of host keys.
 */
const OPTIONS = [
	'-T',
	'-a',
	'-x',
	...[
		'BatchMode=yes',
		'ConnectTimeout=15',
		'ServerAliveInterval=5',
		'ServerAliveCountMax=3',
		'RemoteCommand=none',
		'RequestTTY=no',
		'PermitLocalCommand=no',
		'StreamLocalBindUnlink=yes',
		'StreamLocalBindMask=0177',
		'LogLevel=ERROR',
	].flatMap(option => ['-o', option]),
];

/** Host, and the control socket through which its connections are shared. */
export type Target = {
	readonly host: string;
	readonly control: string;
	/** Additional options of `ssh`. */
	readonly options?: readonly string[];
};

/** Validates the name of a host. @throws {TypeError} if `ssh` could parse it as an option. */
const destination = (host: string): string => {
	if (!isHostAlias(host)) throw new TypeError('not a host name');
	return host;
};

// The target's options come first, because ssh uses the first value given for an option.
const base = ({control, options = []}: Target): readonly string[] => ['-S', control, ...options, ...OPTIONS];

// The forwardings in the user's configuration would conflict with those of the user's own sessions.
const NO_FORWARDS = ['-o', 'ClearAllForwardings=yes'];

/** Opens the shared connection and stays in the foreground. */
export const masterArgs = (target: Target): readonly string[] => [
	...base(target),
	...NO_FORWARDS,
	'-M',
	'-N',
	'-o',
	'ControlPersist=no',
	destination(target.host),
];

/**
 * Runs a shell that reads a script from standard input. The command line is valid in sh, bash, zsh,
 * fish and tcsh.
 */
export const scriptArgs = (target: Target): readonly string[] => [
	...base(target),
	...NO_FORWARDS,
	'-o',
	'ControlMaster=no',
	destination(target.host),
	'exec /bin/sh',
];

/** Options of a call over the shared connection, for use in a command line that a shell parses. */
export const throughArgs = (target: Target): readonly string[] => [
	...base({...target, host: destination(target.host)}),
	...NO_FORWARDS,
	'-o',
	'ControlMaster=no',
];

/** Checks whether the shared connection is open, in which case `ssh` succeeds. */
export const checkArgs = (target: Target): readonly string[] => [
	...base(target),
	'-O',
	'check',
	destination(target.host),
];

/** Ends the shared connection. */
export const exitArgs = (target: Target): readonly string[] => [
	...base(target),
	'-O',
	'exit',
	destination(target.host),
];

const isSocketPath = (path: string): boolean => /^\/[\w./-]+$/.test(path);

/** Remote end of a forwarding: the socket of a server, or a port of the host. */
export type Far = string | number;

const isPort = (far: Far): far is number =>
	typeof far === 'number' && Number.isInteger(far) && far > 0 && far < 65_536;

const forwardCall = (what: string, target: Target, near: string, far: Far): readonly string[] => {
	if (!isSocketPath(near) || !(isPort(far) || (typeof far === 'string' && isFarSocket(far))))
		throw new TypeError('not a path of ours');
	// Uses a name instead of an address, because a program may listen on IPv4 or IPv6 only.
	const end = isPort(far) ? `localhost:${far}` : far;
	return [...base(target), '-O', what, '-L', `${near}:${end}`, destination(target.host)];
};

/**
 * Forwards connections from the local socket `near` to a socket or port of the host.
 * `ClearAllForwardings` must not be set, because ssh would then report success and forward nothing.
 * @throws {TypeError} if a path was not created by this program.
 */
export const forwardArgs = (target: Target, near: string, far: Far): readonly string[] =>
	forwardCall('forward', target, near, far);

/**
 * Ends a forwarding of {@link forwardArgs}.
 * @throws {TypeError} if a path was not created by this program.
 */
export const cancelArgs = (target: Target, near: string, far: Far): readonly string[] =>
	forwardCall('cancel', target, near, far);

/**
 * True if a server of this program may listen at the path. Checked because the host reports the
 * path.
 */
export const isFarSocket = (path: string): boolean => /^\/(?:[\w.-]+\/)*svc-[A-Za-z0-9]{8}\/s$/.test(path);
