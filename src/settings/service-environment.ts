// The folder's service has a key of its own, and must not send what it fetches through a proxy that was meant for another program.
const notForTheService = new Set(['SVC_API_KEY', 'SVC_BASE_URL', 'NODE_USE_ENV_PROXY']);

/** The environment for a local service that we start: ours without the keys and addresses of other services. */
export const serviceEnvironment = (): NodeJS.ProcessEnv =>
	Object.fromEntries(Object.entries(process.env).filter(([name]) => !notForTheService.has(name)));

/** The time zone that the environment sets; undefined where it is the machine's own. */
export const timeZone = (): string | undefined => process.env['TZ'];

/** HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in any case, as far as they are set. */
export const proxiesIn = (env: NodeJS.ProcessEnv = process.env): Record<string, string> => {
	const found: Record<string, string> = {};
	for (const [name, value] of Object.entries(env))
		if (value && /^(?:https?|all|no)_proxy$/i.test(name)) found[name] = value;
	return found;
};
