import {readFileSync, unlinkSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod';
import {sweepHalfWritten, writeAtOnce} from '../machine/atomic-write.ts';
import {codeOf} from '../text/errors.ts';

const instance = z.object({
	pid: z.int().positive(),
	port: z.int().min(1).max(65_535),
	/** Base URL, without a trailing slash. */
	url: z.url(),
	/** ISO 8601, UTC. */
	startedAt: z.string(),
	/**
	 * Source of the service's key. The user's other programs can read the key only if it is `file`.
	 */
	keyFrom: z.enum(['file', 'environment', 'keys', 'hub']),
	/** True if the service stops after the last lease. */
	leased: z.boolean(),
	/** Engine that runs code. Absent in older versions. */
	engine: z.string().optional(),
});

/** Running service of a data folder, as described in its instance file. */
export type Instance = z.infer<typeof instance>;

const instanceFile = (dataFolder: string): string => join(dataFolder, 'instance.json');

/** File with the key of the folder's service, mode 0600. */
export const keyFile = (dataFolder: string): string => join(dataFolder, 'key');

export const serviceLogFile = (dataFolder: string): string => join(dataFolder, 'service.log');

/** Null if missing or unreadable. The file outlives a `kill -9`: see {@link isFolderInUse}. */
export const readInstance = (dataFolder: string): Instance | null => {
	try {
		return instance.parse(JSON.parse(readFileSync(instanceFile(dataFolder), 'utf8')));
	} catch {
		return null;
	}
};

/**
 * Writes the file for its owner only. Atomic but not flushed, because a power cut ends the service
 * too.
 */
export const writeInstance = (dataFolder: string, value: Instance): void => {
	writeAtOnce(instanceFile(dataFolder), JSON.stringify(value));
};

/** Removes the file, and half-written files of killed owners. Callers must own the folder. */
export const removeInstance = (dataFolder: string): void => {
	sweepHalfWritten(dataFolder, {isDeep: false});
	try {
		// Not `rmSync`: on a read-only disk its error has neither code nor reason.
		unlinkSync(instanceFile(dataFolder));
	} catch (error) {
		if (codeOf(error) !== 'ENOENT') throw error;
	}
};
