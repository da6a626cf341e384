import {closeSync, existsSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {DatabaseFault} from '../machine/disk-fault.ts';
import {codeOf} from '../text/errors.ts';

// SQLite's exclusive lock, because the kernel frees it when its owner dies, `kill -9` included; Node has no other such lock.
const lockFile = (dataFolder: string): string => join(dataFolder, 'instance.lock');

/** What fails with the lock, with its name. */
const lockFault = (file: string, error: unknown): DatabaseFault =>
	new DatabaseFault(error, {
		file,
		what: 'lock file',
		cure: 'it holds nothing: delete it when no svc-tui runs',
	});

const open = (file: string, options: {readonly timeout: number; readonly readOnly?: true}): DatabaseSync => {
	try {
		return new DatabaseSync(file, options);
	} catch (error) {
		throw lockFault(file, error);
	}
};

const isBusy = (error: unknown): boolean =>
	error instanceof Error && 'errcode' in error && error.errcode === 5;

const createPrivately = (file: string): void => {
	try {
		closeSync(openSync(file, 'wx', 0o600));
	} catch (error) {
		// Never open it when it is there: closing any descriptor of it would drop the locks that this process holds on it.
		if (codeOf(error) !== 'EEXIST') throw error;
	}
};

/** Makes this process the only service of the folder; null when another one is. The answer gives the lock back. */
export const takeInstanceLock = (dataFolder: string): (() => void) | null => {
	const file = lockFile(dataFolder);
	createPrivately(file);
	// The wait is for readers that only ask (below), which hold it for microseconds.
	const database = open(file, {timeout: 100});
	try {
		// Without a journal file a killed owner leaves nothing that a reader would have to roll back.
		database.exec('pragma journal_mode = memory; begin exclusive');
		return () => database.close();
	} catch (error) {
		database.close();
		if (isBusy(error)) return null;
		throw lockFault(file, error);
	}
};

/** Whether a living service uses the folder, whatever its `instance.json` says. */
export const isFolderInUse = (dataFolder: string): boolean => {
	const file = lockFile(dataFolder);
	if (!existsSync(file)) return false;
	const database = open(file, {timeout: 0, readOnly: true});
	try {
		database.prepare('select 1 from sqlite_master').get();
		return false;
	} catch (error) {
		if (isBusy(error)) return true;
		throw lockFault(file, error);
	} finally {
		database.close();
	}
};
