import {isLoopback} from '../../machine/loopback.ts';

/**
 * The addresses that the service hands out, all of them made here. `base` has no trailing slash: it is --public-url where that is given. Each of them
 * answers (see pages.ts).
 */
export const addressesOf = (base: string, user: string, name: string) => ({
	// The hub's convention: a raw `@`, since `%40` is another user for the servers behind one.
	url: `${base}/user/${user}/${name}/`,
	assistant_editor_url: `${base}/editor/${name}`,
	forward: `${base}/forward/${name}`,
	thumb: '/thumb/server.svg',
});

/** Whether an address leads to this machine and to no other, in the clear: what is beside the service is reached as the service is. */
export const isOfThisMachine = (base: string): boolean => isLoopback(URL.parse(base)?.hostname ?? '');
