import {isLoopback} from '../../machine/loopback.ts';

/**
 * Addresses of a server that the service returns. `base` has no trailing slash. See also pages.ts.
 */
export const addressesOf = (base: string, user: string, name: string) => ({
	// The `@` in a user name is not percent-encoded, as in a hub's addresses, because servers
	// behind a hub treat `%40` as another user.
	url: `${base}/user/${user}/${name}/`,
	assistant_editor_url: `${base}/editor/${name}`,
	forward: `${base}/forward/${name}`,
	thumb: '/thumb/server.svg',
});

/** True if clients are on this machine, so that they can reach servers on other ports. */
export const isOfThisMachine = (base: string): boolean => isLoopback(URL.parse(base)?.hostname ?? '');
