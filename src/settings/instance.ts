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
	/** Where the service has its key from: only `file` can be read by other programs of the user. */
	keyFrom: z.enum(['file', 'environment', 'keys', 'hub']),
	/** It ends when nobody holds a lease any more. */
	leased: z.boolean(),
	/** What runs its code; absent on an older one. */
	engine: z.string().optional(),
});

/** The service that uses a data folder, as it says itself while it answers. */
export type Instance = z.infer<typeof instance>;

const instanceFile = (dataFolder: string): string => join(dataFolder, 'instance.json');

/** The file that holds the key of the folder's service, 0600. */
export const keyFile = (dataFolder: string): string => join(dataFolder, 'key');

export const serviceLogFile = (dataFolder: string): string => join(dataFolder, 'service.log');

/** Null when there is none or it cannot be understood. It outlives a `kill -9`: see {@link isFolderInUse}. */
export const readInstance = (dataFolder: string): Instance | null => {
	try {
		return instance.parse(JSON.parse(readFileSync(instanceFile(dataFolder), 'utf8')));
	} catch {
		return null;
	}
};

/** For the folder's owner only. Readers see the old or the new file, never a part. Not flushed to disk: after a power cut there is no such service. */
export const writeInstance = (dataFolder: string, value: Instance): void => {
	writeAtOnce(instanceFile(dataFolder), JSON.stringify(value));
};

/** For the folder's owner only; also removes what an owner left that was killed while it wrote. */
export const removeInstance = (dataFolder: string): void => {
	sweepHalfWritten(dataFolder, {isDeep: false});
	try {
		// Not `rmSync`: on a read-only disk its error says neither code nor reason.
		unlinkSync(instanceFile(dataFolder));
	} catch (error) {
		if (codeOf(error) !== 'ENOENT') throw error;
	}
};
