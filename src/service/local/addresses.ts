import {isLoopback} from '../../machine/loopback.ts';

/** All addresses that the service hands out. `base` has no trailing slash. See also pages.ts. */
export const addressesOf = (base: string, user: string, name: string) => ({
	// The hub's convention: a raw `@`, because servers behind a hub read `%40` as another user.
	url: `${base}/user/${user}/${name}/`,
	assistant_editor_url: `${base}/editor/${name}`,
	forward: `${base}/forward/${name}`,
	thumb: '/thumb/server.svg',
});

/** True if clients are on this machine, and reach servers on other ports too. */
export const isOfThisMachine = (base: string): boolean => isLoopback(URL.parse(base)?.hostname ?? '');
