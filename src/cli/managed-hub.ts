/**
 * Settings from the JupyterHub that has started this program as a service, in the form of `serve`
 * options. Null if no hub has started it.
 */
export const managedByHub = (environment: NodeJS.ProcessEnv) => {
	// Only the name shows this: a user's own server has most of these variables too, but no service
	// name.
	const {
		JUPYTERHUB_SERVICE_NAME: name = '',
		JUPYTERHUB_API_URL: hub = '',
		JUPYTERHUB_SERVICE_URL: listen = '',
		JUPYTERHUB_SERVICE_PREFIX: prefix = '/',
		JUPYTERHUB_PUBLIC_URL: given = '',
	} = environment;
	if (name === '' || hub === '') return null;
	const at = URL.parse(listen);
	return {
		name,
		/** Address of the hub's API, which may be reachable from here only. */
		hub,
		/**
		 * Address to listen on, where the hub's proxy connects. Undefined if the operator set no
		 * `url`.
		 */
		host: at?.hostname,
		port: at ? Number(at.port || (at.protocol === 'https:' ? 443 : 80)) : undefined,
		prefix: prefix.replace(/\/$/, ''),
		/** Set by JupyterHub 5 if its own `public_url` is configured. */
		publicUrl: /^https?:/.test(given) ? given : undefined,
	};
};
