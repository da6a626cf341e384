import type {ServiceOptions} from '../settings/target.ts';

/** Options that every command takes. */
export type Globals = ServiceOptions & {
	readonly json: boolean;
	/** One JSON value a line; goes with `json`. */ readonly jsonl?: boolean;
};
