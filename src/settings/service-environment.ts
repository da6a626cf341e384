// Variables meant for other services. The local service has its own key, and must not use another
// service's proxy.
const notForTheService = new Set(['SVC_API_KEY', 'SVC_BASE_URL', 'NODE_USE_ENV_PROXY']);

/** Environment for a local service that this program starts. */
export const serviceEnvironment = (): NodeJS.ProcessEnv =>
	Object.fromEntries(Object.entries(process.env).filter(([name]) => !notForTheService.has(name)));

/** Variables that are passed to a user's program. All others may contain keys. */
const FOR_PROGRAMS = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'];

/** Environment of a user's program that the service starts. */
export const programEnvironment = (): NodeJS.ProcessEnv =>
	Object.fromEntries(Object.entries(process.env).filter(([name]) => FOR_PROGRAMS.includes(name)));

/** Time zone set by the environment. Undefined for the machine's own. */
export const timeZone = (): string | undefined => process.env['TZ'];

/**
 * Values of HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, if set. Their names may be in any
 * case.
 */
export const proxiesIn = (env: NodeJS.ProcessEnv = process.env): Record<string, string> => {
	const found: Record<string, string> = {};
	for (const [name, value] of Object.entries(env))
		if (value && /^(?:https?|all|no)_proxy$/i.test(name)) found[name] = value;
	return found;
};

/** Variables that pip, uv and their certificates read. */
const FOR_BUILDS = /^(?:PIP|UV|XDG)_|^(?:SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|TMPDIR)$/;

/**
 * Environment of a build. A build runs code of packages, so it gets no other variables, which may
 * contain keys.
 */
export const buildEnvironment = (): NodeJS.ProcessEnv => ({
	...programEnvironment(),
	...Object.fromEntries(Object.entries(process.env).filter(([name]) => FOR_BUILDS.test(name))),
	...proxiesIn(),
});
