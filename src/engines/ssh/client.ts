import {isHostAlias} from '../../contract/names.ts';

/**
 * Options of every call of `ssh`, chosen so that the user's own configuration connects as usual,
 * while its forwards, commands and terminals stay out. No option weakens the check of host keys.
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

/** A host, and the socket that its connections share. */
export type Target = {
	readonly host: string;
	readonly control: string;
	/** More options of `ssh`. */
	readonly options?: readonly string[];
};

/** @throws {TypeError} if the name could be read as an option. */
const destination = (host: string): string => {
	if (!isHostAlias(host)) throw new TypeError('not a host name');
	return host;
};

// The options of a target come first: ssh uses the first value of an option.
const base = ({control, options = []}: Target): readonly string[] => ['-S', control, ...options, ...OPTIONS];

// The user's own forwards would collide with those of the user's own sessions.
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

/** Runs a shell that reads a script. The words mean the same in sh, bash, zsh, fish and tcsh. */
export const scriptArgs = (target: Target): readonly string[] => [
	...base(target),
	...NO_FORWARDS,
	'-o',
	'ControlMaster=no',
	destination(target.host),
	'exec /bin/sh',
];

/** Options of a call over the shared connection, for a command line that a shell reads. */
export const throughArgs = (target: Target): readonly string[] => [
	...base({...target, host: destination(target.host)}),
	...NO_FORWARDS,
	'-o',
	'ControlMaster=no',
];

/** Succeeds if the shared connection is open. */
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

/** Socket of a server of ours, or a port of the host itself. */
export type Far = string | number;

const isPort = (far: Far): far is number =>
	typeof far === 'number' && Number.isInteger(far) && far > 0 && far < 65_536;

const forwardCall = (what: string, target: Target, near: string, far: Far): readonly string[] => {
	if (!isSocketPath(near) || !(isPort(far) || (typeof far === 'string' && isFarSocket(far))))
		throw new TypeError('not a path of ours');
	// A program may listen on IPv4 or IPv6 only.
	const end = isPort(far) ? `localhost:${far}` : far;
	return [...base(target), '-O', what, '-L', `${near}:${end}`, destination(target.host)];
};

/**
 * Forwards connections on the socket `near` to a socket or a port of the host. Without
 * `ClearAllForwardings`, with which ssh reports success and forwards nothing.
 * @throws {TypeError} if a path is not one of ours.
 */
export const forwardArgs = (target: Target, near: string, far: Far): readonly string[] =>
	forwardCall('forward', target, near, far);

/** Ends a forward of {@link forwardArgs}. @throws {TypeError} if a path is not one of ours. */
export const cancelArgs = (target: Target, near: string, far: Far): readonly string[] =>
	forwardCall('cancel', target, near, far);

/** True for a path at which a server of ours listens. The host reports it, so it is checked. */
export const isFarSocket = (path: string): boolean => /^\/(?:[\w.-]+\/)*svc-[A-Za-z0-9]{8}\/s$/.test(path);
