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
	/** Null if the service does not know what its environments contain. */
	readonly setup: (EnvironmentSetup & {readonly isShared: boolean}) | null;
	/** Null if servers cannot be attached. */
	readonly attaching: Attaching | null;
	/** Null if the service does not stop servers on its own. */
	readonly limits: Pick<StopLimits, 'answer' | 'set'> | null;
	/** Null if the service does not open the user's own folders. */
	readonly projects: Projects | null;
	/** Null if the service reaches no hosts over SSH. */
	readonly remote: RemoteHosts | null;
	/** Resolves once no start is being sent to a host. Ending earlier would lose that start. */
	readonly launched: (() => Promise<void>) | null;
	/**
	 * A server's own Jupyter address, for clients that reach only the service. Null if not needed.
	 */
	readonly ownAddress: ServerEndpoint | null;
	readonly userOf: Keyring;
	/** Permissions of MCP clients with a valid key. Undefined: those of the service. */
	readonly mcpOf?: (key: string) => string | undefined;
	readonly keyFrom: Instance['keyFrom'];
	/** File with the default user's key. Null if the key does not come from a file. */
	readonly keyFile: string | null;
	/** Page on which users create keys. Null if there is none, or if they cannot reach it. */
	keyPage(): string | null;
	/** Signs users in with a browser. Null if the service cannot. */
	readonly signIn: HubSignIn | null;
	/** Retains servers after the last program has closed. Null if another system decides. */
	readonly keeping:
		| (Keeping & {
				/** Names of a user's servers whose kernels hold variables. */
				namesOf(user: string): Promise<readonly string[]>;
		  })
		| null;
	/** Count of servers that are starting or ready. Null if another system runs them. */
	readonly runningServers: (() => number) | null;
	close(): Promise<void>;
};

export type BackendOptions = {
	/** Null for the hub engine, which stores nothing on this machine. */
	readonly dataFolder: string | null;
	readonly catalogueFile?: string | undefined;
	readonly keysFile?: string | undefined;
	/** Header in which a trusted proxy names the user that it has signed in. */
	readonly userHeader?: string | undefined;
	/** The default user's key, never written to disk. Without it the data folder holds the key. */
	readonly apiKey?: string | undefined;
	/** The embedded engine by default; `auto` selects Jupyter Server if it is installed. */
	readonly engine?: EngineChoice | 'jupyterhub' | undefined;
	/** Address of the hub; required by that engine. */
	readonly hub?: string | undefined;
	/** Origin of the hub's servers, if it differs from the API's origin. */
	readonly hubOrigin?: string | undefined;
	/** Registration of the service at the hub, with which a browser signs users in. */
	readonly signIn?: SignInOptions | undefined;
	/** Lifetime of a hub token for one server, in seconds; 24 hours by default. */
	readonly tokenLife?: number | undefined;
	/** Allows unencrypted HTTP to the hub, which exposes the users' keys to the network. */
	readonly insecureHub?: boolean | undefined;
	readonly openEngine?: (() => Promise<Engine>) | undefined;
	/** Measures the available memory. Default: `readMemory`. */
	readonly memory?: (() => Memory) | undefined;
	/** Idle time after which a server goes offline, in ms; 30 minutes by default. */
	readonly idleAfter?: number | undefined;
	/** Limits after which servers are stopped, as defaults and by user. None by default. */
	readonly limits?: StopSettings | undefined;
	/** Interval at which the limits are checked, in ms; 15 s by default. */
	readonly limitsLook?: number | undefined;
};

export type BackendContext = {
	readonly log: Log;
	/** Appends to the event log, if there is one. */
	readonly event: WriteEvent;
	/** Prefix of all addresses, without a trailing slash: the public URL if one is set. */
	readonly base: () => string;
	/**
	 * True if clients may be on other machines. Servers' addresses then lead through the service.
	 */
	readonly isAway: () => boolean;
	/** Forward addresses below the wildcard of --forward-host, or null without it. */
	readonly forwards: ForwardHosts | null;
	readonly attachable: Attachable;
	/** True for a leased service that serves the programs of one user on this machine only. */
	readonly isPersonal: boolean;
	readonly resources: DisposableStack;
};

/** Longest queue of runs for one server. */
export const maxWaiting = 16;
