import type {Engine} from '../engines/engine.ts';
import type {Instance} from '../settings/instance.ts';
import type {Attachable, Attaching} from './attached/servers.ts';
import type {Catalogue} from './catalogue/catalogue.ts';
import type {EngineName} from './catalogue/own-options.ts';
import type {EngineChoice} from './local/engine-choice.ts';
import type {ForwardHosts} from './forward/host.ts';
import type {ServerEndpoint} from './forward/server-routes.ts';
import type {Keyring} from './http/keyring.ts';
import type {Keeping} from './local/leases.ts';
import type {Log} from './log.ts';
import type {Memory} from './local/memory.ts';
import type {Projects} from './local/projects.ts';
import type {Servers} from './servers.ts';

/** Who the users are, what servers they have, and what runs them. */
export type Backend = {
	readonly engine: EngineName;
	readonly catalogue: Catalogue;
	readonly servers: Servers;
	/** Null where none can be attached. */
	readonly attaching: Attaching | null;
	/** Null where no folder of a user's own can be a server. */
	readonly projects: Projects | null;
	/** Of servers that answer past us, for those who reach this machine by us alone; null where they need us for nothing. */
	readonly ownAddress: ServerEndpoint | null;
	readonly userOf: Keyring;
	readonly keyFrom: Instance['keyFrom'];
	/** Of the default user's key, when it is in one. */
	readonly keyFile: string | null;
	/** Where users make their keys; null where they are handed out, or where those users do not reach it. */
	keyPage(): string | null;
	/** What outlives the last program; null where others decide on it. */
	readonly keeping:
		| (Keeping & {
				/** Names of a user's servers that hold what code made. */ namesOf(
					user: string,
				): Promise<readonly string[]>;
		  })
		| null;
	/** Ends every session. Never rejects. */
	close(): Promise<void>;
};

export type BackendOptions = {
	/** Null for a hub's servers, of which nothing is kept here. */
	readonly dataFolder: string | null;
	readonly catalogueFile?: string | undefined;
	readonly keysFile?: string | undefined;
	/** The default user's key, kept nowhere; without it the key is in the data folder. */
	readonly apiKey?: string | undefined;
	/** The embedded one by default; `auto` is Jupyter Server where it is installed. */
	readonly engine?: EngineChoice | 'jupyterhub' | undefined;
	/** Address of the hub, for that engine. */
	readonly hub?: string | undefined;
	/** Where the hub's users and we reach its servers, when that is not where its API is. */
	readonly hubOrigin?: string | undefined;
	/** Seconds for which a hub's token for one server is good: 24 hours by default. */
	readonly tokenLife?: number | undefined;
	/** Keys may travel to the hub in the clear. */
	readonly insecureHub?: boolean | undefined;
	/** Opens the engine at the first start of a server; by default the one that `engine` names. */
	readonly openEngine?: (() => Promise<Engine>) | undefined;
	/** What memory there is; by default it is looked up. */
	readonly memory?: (() => Memory) | undefined;
	/** Milliseconds without use after which a server goes offline: 30 minutes by default. */
	readonly idleAfter?: number | undefined;
};

/** What a backend gets from the service around it. */
export type BackendContext = {
	readonly log: Log;
	/** What stands before every address that is handed out, without a trailing slash: the public address where there is one. */ readonly base: () => string;
	/** Servers' own addresses are handed out as ones of the service: nothing else of this machine is reached. */ readonly isAway: () => boolean;
	/** Where forward addresses are, with --forward-host. */ readonly forwards: ForwardHosts | null;
	readonly attachable: Attachable;
	/** It lives by the leases of one person's programs, on this machine alone. */ readonly isPersonal: boolean;
	readonly resources: DisposableStack;
};

/** Runs that may wait for one server. */
export const maxWaiting = 16;
