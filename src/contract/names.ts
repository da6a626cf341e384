// Constants of the interface that the screens need in their first frame: nothing here may import zod.

/** `port_forward_url` until the address is known. */
export const PENDING = 'pending';

/** The kernel that every service running Python has. */
export const DEFAULT_KERNEL = 'python3';

/** What Python takes for the end of its input, as the answer to input(). */
export const END_OF_INPUT = '\u0004';

/** Port of a notebook server when the user names none. */
export const DEFAULT_PORT = 8888;

/** The five `{model}` segments; their names are the service's, so a profile may set others. */
export const MODELS = ['model_1', 'model_2', 'model_3', 'model_4', 'model_5'] as const;

/** Streams of these begin with an `f` line and end with `e` and `d`; the others hold `0` lines only (interface 4.9). */
export const FRAMED_MODELS: ReadonlySet<string> = new Set(['model_2', 'model_3', 'model_5']);

/** Whether a name can be one part of an address: `..` would lead to another endpoint, and half of a character nowhere. */
export const canBeAddressed = (name: string): boolean =>
	!['', '.', '..'].includes(name) && name.isWellFormed();

/** A label of a host name: each server of a local service may get one of its own. */
const LOCAL_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether a new server can have a name. A slash separates names for many proxies even where it is encoded. */
export const canBeServerName = (name: string, isLocal: boolean): boolean =>
	isLocal ? LOCAL_NAME.test(name) : canBeAddressed(name) && !name.includes('/');

/** Name of a server that was created: a service may make another one of the name that was asked for. */
export const createdName = (answer: {readonly server_name: string}, asked: string): string =>
	answer.server_name || asked;
