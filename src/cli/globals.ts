import type {ServiceOptions} from '../settings/target.ts';

export type Globals = ServiceOptions & {
	readonly json: boolean;
	/** True to print one JSON value per line. Implies `json`. */
	readonly jsonl?: boolean;
};
