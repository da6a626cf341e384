import type {Client} from '../api/client-types.ts';

/** What the store needs from outside; every test makes its own. */
export type Deps = {
	/** Resolves once the service is connected; actions asked for before that wait for it. */
	readonly client: () => Promise<Client>;
	/** Milliseconds since the epoch. */
	readonly now: () => number;
	/** Sends text to the terminal's clipboard. */
	readonly copy: (text: string) => void;
};
