/** The addresses that the service hands out; `base` has no trailing slash. Each of them answers (see pages.ts). */
export const addressesOf = (base: string, user: string, name: string) => ({
	// The hub's convention: a raw `@`, since `%40` is another user for the servers behind one.
	url: `${base}/user/${user}/${name}/`,
	assistant_editor_url: `${base}/editor/${name}`,
	forward: `${base}/forward/${name}`,
	thumb: '/thumb/server.svg',
});
