import type {Lookup} from '../../engines/engine.ts';
import type {Files} from '../../engines/files.ts';

/** The last exception that code on the server raised, as in its cell's `error` output, and the cell's source. */
export type LastError = {
	readonly ename: string;
	readonly evalue: string;
	readonly traceback: readonly string[];
	readonly source: string;
};

/** All that the reference assistant may look at. */
export type About = {
	readonly files: Files;
	readonly lastError: () => LastError | null;
	/** `lastError` knows cells of the live link too, which run past the service on a Jupyter Server. */
	readonly seesLiveCells: boolean;
	readonly lookup: Lookup;
	readonly serverName: string;
	readonly environment: string;
};
