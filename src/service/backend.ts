import type {Engine} from '../engines/engine.ts';
import type {Instance} from '../settings/instance.ts';
import type {Attachable, Attaching} from './attached/servers.ts';
import type {Catalogue} from './catalogue/catalogue.ts';
import type {EngineName} from './catalogue/own-options.ts';
import type {WriteEvent} from './events.ts';
import type {EngineChoice} from './local/engine-choice.ts';
import type {EnvironmentSetup} from './environments/setup.ts';
import type {ForwardHosts} from './forward/host.ts';
import type {ServerEndpoint} from './forward/server-routes.ts';
import type {HubSignIn, SignInOptions} from './hub/sign-in.ts';
import type {Keyring} from './http/keyring.ts';
import type {Keeping} from './local/leases.ts';
import type {Log} from './log.ts';
import type {StopSettings} from '../settings/limits.ts';
import type {StopLimits} from './limits/stop-limits.ts';
import type {Memory} from './local/memory.ts';
import type {Projects} from './local/projects.ts';
import type {RemoteHosts} from './remote/admin.ts';
import type {Servers} from './servers.ts';

export type Backend = {
	readonly engine: EngineName;
	readonly catalogue: Catalogue;
	readonly servers: Servers;
	/** Null if the contents of the environments are unknown to the service. */
	readonly setup: (EnvironmentSetup & {readonly isShared: boolean}) | null;
	/** Null if servers cannot be attached. */
	readonly attaching: Attaching | null;
	/** Null if the service does not stop servers by limits. */
	readonly limits: Pick<StopLimits, 'answer' | 'set'> | null;
	/** Null if the service cannot open the user's own folders. */
	readonly projects: Projects | null;
	/** Null if the service does not connect to hosts over SSH. */
	readonly remote: RemoteHosts | null;
	/**
	 * Resolves when no launch is being sent to a host. If the service ended earlier, that launch
	 * would be lost.
	 */
	readonly launched: (() => Promise<void>) | null;
	/**
	 * Returns the address of a server's own Jupyter, for clients that can connect only to the
	 * service. Null if no client needs it.
	 */
	readonly ownAddress: ServerEndpoint | null;
	readonly userOf: Keyring;
	/**
	 * Permissions of an MCP client with a valid key. Undefined if the permissions of the service
	 * apply.
	 */
	readonly mcpOf?: (key: string) => string | undefined;
	readonly keyFrom: Instance['keyFrom'];
	/** File that contains the default user's key. Null if the key does not come from a file. */
	readonly keyFile: string | null;
	/** Page on which users create keys. Null if there is none, or users cannot open it. */
	keyPage(): string | null;
	/** Signs users in with a browser. Null if the service does not support that. */
	readonly signIn: HubSignIn | null;
	/**
	 * Retention of servers after the last program has ended. Null if another system decides about
	 * it.
	 */
	readonly keeping:
		| (Keeping & {
				/** Names of the user's servers with kernels that hold variables. */
				namesOf(user: string): Promise<readonly string[]>;
		  })
		| null;
	/** Number of servers that are starting or ready. Null if another system runs the servers. */
	readonly runningServers: (() => number) | null;
	close(): Promise<void>;
};

export type BackendOptions = {
	/** Null for the hub engine, because it stores nothing on this machine. */
	readonly dataFolder: string | null;
	readonly catalogueFile?: string | undefined;
	readonly keysFile?: string | undefined;
	/** Header in which a trusted proxy sends the name of the signed-in user. */
	readonly userHeader?: string | undefined;
	/**
	 * Key of the default user, which is never written to disk. If undefined, the key is stored in
	 * the data folder.
	 */
	readonly apiKey?: string | undefined;
	/** Default: the embedded engine. `auto` selects Jupyter Server if it is installed. */
	readonly engine?: EngineChoice | 'jupyterhub' | undefined;
	/** Address of the hub. Required for the hub engine. */
	readonly hub?: string | undefined;
	/** Origin of the hub's servers, if it differs from the API's origin. */
	readonly hubOrigin?: string | undefined;
	/** Registration of the service at the hub, for signing users in with a browser. */
	readonly signIn?: SignInOptions | undefined;
	/** Lifetime of a hub token for a server, in seconds. Default: 24 hours. */
	readonly tokenLife?: number | undefined;
	/** True to allow unencrypted HTTP to the hub, which exposes the users' keys to the network. */
	readonly insecureHub?: boolean | undefined;
	readonly openEngine?: (() => Promise<Engine>) | undefined;
	/** Measures the available memory. Default: `readMemory`. */
	readonly memory?: (() => Memory) | undefined;
	/** Idle time after which a server goes offline, in ms. Default: 30 minutes. */
	readonly idleAfter?: number | undefined;
	/** Limits after which servers are stopped: defaults, and limits by user. Default: none. */
	readonly limits?: StopSettings | undefined;
	/** Interval at which the limits are checked, in ms. Default: 15 s. */
	readonly limitsLook?: number | undefined;
};

export type BackendContext = {
	readonly log: Log;
	/** Appends to the event log if there is one. */
	readonly event: WriteEvent;
	/**
	 * Start of all addresses of the service, without a trailing slash: the public URL, if one is
	 * set.
	 */
	readonly base: () => string;
	/**
	 * True if clients may be on other machines. The addresses of servers then point to the service,
	 * which forwards requests.
	 */
	readonly isAway: () => boolean;
	/** Forward addresses under the wildcard of --forward-host. Null if the option is not set. */
	readonly forwards: ForwardHosts | null;
	readonly attachable: Attachable;
	/** True for a service that is leased by the programs of one user on this machine. */
	readonly isPersonal: boolean;
	readonly resources: DisposableStack;
};

/** Maximum number of runs that wait in the queue of a server. */
export const maxWaiting = 16;
