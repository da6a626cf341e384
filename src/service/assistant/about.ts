import type {Lookup} from '../../engines/engine.ts';
import type {Files} from '../../engines/files.ts';

/** Last exception that was raised on the server, and the source of the cell that raised it. */
export type LastError = {
	readonly ename: string;
	readonly evalue: string;
	readonly traceback: readonly string[];
	readonly source: string;
};

export type About = {
	readonly files: Files;
	readonly lastError: () => LastError | null;
	/**
	 * True if `lastError` includes errors of cells that ran over the live link, which bypasses the
	 * service.
	 */
	readonly seesLiveCells: boolean;
	readonly lookup: Lookup;
	readonly serverName: string;
	readonly environment: string;
};
