import {closeSync, existsSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {DatabaseFault} from '../machine/disk-fault.ts';
import {codeOf} from '../text/errors.ts';

// Uses SQLite's exclusive lock, which the OS releases even after `kill -9`. Node has no other file
// lock.
const lockFile = (dataFolder: string): string => join(dataFolder, 'instance.lock');

const lockFault = (file: string, error: unknown): DatabaseFault =>
	new DatabaseFault(error, {
		file,
		what: 'lock file',
		cure: 'it contains no data: delete it while no svc-tui is running',
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
		// Does not open an existing file: when a process closes any descriptor of a file, it loses
		// its locks on the file.
		if (codeOf(error) !== 'EEXIST') throw error;
	}
};

/** Locks the folder for this process. Returns the release function, or null if in use. */
export const takeInstanceLock = (dataFolder: string): (() => void) | null => {
	const file = lockFile(dataFolder);
	createPrivately(file);
	// Waits for readers (below), which hold the lock for microseconds.
	const database = open(file, {timeout: 100});
	try {
		// Prevents a journal file, which readers would have to roll back after the owner was
		// killed.
		database.exec('pragma journal_mode = memory; begin exclusive');
		return () => database.close();
	} catch (error) {
		database.close();
		if (isBusy(error)) return null;
		throw lockFault(file, error);
	}
};

/** True if a running service uses the folder, regardless of its `instance.json`. */
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
