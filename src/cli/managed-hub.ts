/** What a JupyterHub tells the services that it starts, as `serve` takes it; null for a program that no hub has started as a service. */
export const managedByHub = (environment: NodeJS.ProcessEnv) => {
	// In a user's own server the hub sets most of these too, but no name of a service.
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
		/** Of its API, which may be reached from here only. */ hub,
		/** Where it is to listen, as its proxy finds it; undefined where the operator gave no `url`. */
		host: at?.hostname,
		port: at ? Number(at.port || (at.protocol === 'https:' ? 443 : 80)) : undefined,
		prefix: prefix.replace(/\/$/, ''),
		/** JupyterHub 5 tells it where it was told `public_url` itself. */
		publicUrl: /^https?:/.test(given) ? given : undefined,
	};
};
