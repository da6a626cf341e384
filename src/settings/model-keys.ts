import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {ModelsError, type ModelsSettings} from './models.ts';
import {isPrivate} from './private-file.ts';

const KEY = /^[\u0021-\u007E]{1,4096}$/;
// A pipe would wait for a writer; Windows has no such flag.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const RULE = 'a key is one word of 1 to 4096 printable ASCII characters';

/** A key file's path as the settings write it: relative to their own folder, `~/` is the home folder. */
const pathOf = (written: string, settingsFile: string): string => (written.startsWith('~/') ? join(homedir(), written.slice(2)) : resolve(dirname(settingsFile), written));

const readPrivate = (file: string, place: string): string => {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(file, READ);
		// Asked of what is open: the name may come to mean another file.
		const stats = fstatSync(descriptor);
		if (!stats.isFile()) throw new ModelsError(`${place} ${file} is no file; name a file that holds the key and nothing else.`);
		if (!isPrivate(stats)) throw new ModelsError(`${place} ${file} must be yours and closed to others; run chmod 600 on it.`, {unsafe: true});
		return readFileSync(descriptor, 'utf8').trim();
	} catch (error) {
		if (error instanceof ModelsError) throw error;
		throw new ModelsError(`${place} ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}); put the key there, or name another file.`);
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
};

/**
 * The keys of the models by slot, from their files and variables; a slot whose variable is not set has none. The variables are taken out of
 * `environment`, so that no process that we start gets them.
 * @throws {ModelsError} for a file that cannot be used, and for what is no key.
 */
export const takeModelKeys = (models: ModelsSettings, settingsFile: string, environment: NodeJS.ProcessEnv = process.env): ReadonlyMap<string, string> => {
	const keys = new Map<string, string>();
	for (const [slot, {keyVariable, keyFile}] of models) {
		const place = `${settingsFile}: ${slot}.${keyFile === undefined ? 'keyVariable' : 'keyFile'}`;
		const key = keyFile === undefined ? environment[keyVariable ?? '']?.trim() ?? '' : readPrivate(pathOf(keyFile, settingsFile), place);
		if (keyFile === undefined && key === '') continue;
		if (!KEY.test(key)) throw new ModelsError(`${place} names ${keyFile === undefined ? 'a variable' : 'a file'} that holds no usable key; ${RULE}.`);
		keys.set(slot, key);
	}
	for (const {keyVariable} of models.values()) if (keyVariable !== undefined) delete environment[keyVariable];
	return keys;
};
