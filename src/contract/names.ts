// Constants for the first frame of the screens. This file must not import zod, which loads slowly.

/** Value of `port_forward_url` until the address is known. */
export const PENDING = 'pending';

/** Kernel of every service that runs Python. */
export const DEFAULT_KERNEL = 'python3';

/** Reply to `input()` that Python reads as end of file. */
export const END_OF_INPUT = '\u0004';

/** Sample server of a new local service. */
export const WELCOME = 'welcome';

/** Environment of the embedded engine with packages for data processing. */
export const DATA_ENVIRONMENT = {id: 'data', name: 'Data'} as const;

export const DEFAULT_PORT = 8888;

/**
 * Default `{model}` segments. Profiles may name others, because services name their models
 * differently.
 */
export const MODELS = ['model_1', 'model_2', 'model_3', 'model_4', 'model_5'] as const;

/** Models whose streams have `f`, `e` and `d` lines. The others send `0` lines only. */
export const FRAMED_MODELS: ReadonlySet<string> = new Set(['model_2', 'model_3', 'model_5']);

/**
 * True if a URL can contain the name. False if it is empty, `.` or `..`, or contains a lone
 * surrogate.
 */
export const canBeAddressed = (name: string): boolean =>
	!['', '.', '..'].includes(name) && name.isWellFormed();

/**
 * Pattern for one label of a host name, because each server of a local service may get its own host
 * name.
 */
const LOCAL_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * True if a new server can have this name. A slash is excluded, because many proxies treat an
 * encoded slash as a separator.
 */
export const canBeServerName = (name: string, isLocal: boolean): boolean =>
	isLocal ? LOCAL_NAME.test(name) : canBeAddressed(name) && !name.includes('/');

/** Name of a created server, which may differ from the requested name. */
export const createdName = (answer: {readonly server_name: string}, asked: string): string =>
	answer.server_name || asked;

const HOST_ALIAS = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,62}$/;

/** True for a host name or alias that is safe as an argument of `ssh`. */
export const isHostAlias = (text: string): boolean => HOST_ALIAS.test(text);
