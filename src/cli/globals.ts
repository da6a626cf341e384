import type {ServiceOptions} from '../settings/target.ts';

/** Options that every command takes. */
export type Globals = ServiceOptions & {
	readonly json: boolean;
	/** One JSON value a line; goes with `json`. */ readonly jsonl?: boolean;
};

/** What `serve` was asked for, checked; absent where it decides itself. */
export type ServeOptions = {
	readonly port: number;
	readonly host?: string;
	readonly allowHosts?: readonly string[];
	readonly publicUrl?: string;
	readonly forwardHost?: string;
	readonly trustedProxies?: readonly string[];
	readonly tlsCert?: string;
	readonly tlsKey?: string;
	readonly insecureHttp?: boolean;
	readonly data?: string;
	readonly catalogue?: string;
	readonly keys?: string;
	readonly models?: string;
	/** `pyodide` is the embedded one. */
	readonly engine: 'auto' | 'pyodide' | 'jupyter' | 'jupyterhub';
	readonly hub?: string;
	readonly insecureHub?: boolean;
	/** For the program itself: the service ends when nobody holds a lease. */
	readonly leased: boolean;
};
