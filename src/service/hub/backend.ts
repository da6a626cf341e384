import {createHub, HubError} from '../../engines/jupyterhub/hub.ts';
import {isLoopback} from '../../machine/loopback.ts';
import {maxWaiting, type Backend, type BackendOptions, type BackendContext} from '../backend.ts';
import {loadCatalogue} from '../catalogue/catalogue.ts';
import {ServiceFault} from '../http/fault.ts';
import {createHubAccounts} from './accounts.ts';
import {isOfThisMachine} from '../local/addresses.ts';
import {createServerLinks} from '../server-links.ts';
import {hubFault} from './scopes.ts';
import {createHubSignIn} from './sign-in.ts';
import {createHubServers} from './servers.ts';
import {createHubProgress} from './progress.ts';
import {createServerTokens} from './tokens.ts';
import {usageError} from '../serve-error.ts';

/** Maximum age of cached information about a key, in ms. */
const KEY_FRESH_MS = 2000;

const checkAddress = ({hub, insecureHub}: BackendOptions): string => {
	const url = URL.parse(hub ?? '');
	if (
		!url ||
		!/^https?:$/.test(url.protocol) ||
		url.username !== '' ||
		url.search !== '' ||
		url.hash !== ''
	) {
		throw usageError(
			'The engine jupyterhub needs the address of the hub: --hub URL, such as https://hub.example.com (without user, "?" and "#").',
		);
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname) && insecureHub !== true)
		throw usageError(
			`The keys of your users would be sent to ${url.host} unencrypted. Use https, or --insecure-hub on a network that you trust.`,
		);
	return url.href;
};

/**
 * Service for a JupyterHub. Its users are those of the hub and are identified by their hub tokens.
 * The service has no state that other copies of it would need, except for the last error, which the
 * built-in assistant uses.
 */
export const openHubBackend = async (
	options: BackendOptions,
	{log, base}: BackendContext,
): Promise<Backend> => {
	const hub = createHub(checkAddress(options), options.hubOrigin);
	if (options.keysFile !== undefined)
		throw usageError(
			"--keys is not for the engine jupyterhub: its users are the hub's, and their keys are tokens that they create there.",
		);
	if (options.limits !== undefined)
		throw usageError(
			'--limits is not for the engine jupyterhub: the hub stops its servers, with jupyterhub-idle-culler for example. Leave it out.',
		);
	const catalogue = await loadCatalogue({engine: 'jupyterhub', file: options.catalogueFile});
	const accounts = createHubAccounts(hub);
	const links = createServerLinks({maxWaiting, onFailure: error => log.failure(error)});
	const tokens = createServerTokens(hub, error => log.failure(error), options.tokenLife);
	const progress = createHubProgress(hub);
	return {
		setup: null,
		engine: 'jupyterhub',
		catalogue,
		servers: createHubServers({hub, accounts, links, tokens, progress, catalogue, base}),
		attaching: null,
		limits: null,
		projects: null,
		remote: null,
		launched: null,
		ownAddress: null,
		async userOf(key) {
			try {
				return (await accounts.of(key, KEY_FRESH_MS))?.name ?? null;
			} catch (error) {
				// A 403 means that the key is not sufficient. Other rejections, such as rate
				// limits, are temporary.
				throw error instanceof HubError && error.status >= 400 && error.status < 500 && error.status !== 403
					? new ServiceFault(503, `The hub refused: ${error.message}.`)
					: hubFault(error, hub.tokenPage);
			}
		},
		keyFrom: 'hub',
		keyFile: null,
		// Unknown, because the hub runs the servers and lists them only for a user's token.
		runningServers: null,
		keyPage: () => (isOfThisMachine(hub.tokenPage) && !isOfThisMachine(base()) ? null : hub.tokenPage),
		signIn: options.signIn ? createHubSignIn(options.signIn, hub.oauth) : null,
		keeping: null,
		async close() {
			progress.close();
			await Promise.all([links.close(), tokens.close()]);
		},
	};
};
