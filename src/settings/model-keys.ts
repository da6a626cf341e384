import {ModelsError, type ModelsSettings} from './models.ts';
import {pathOf} from '../machine/paths.ts';
import {readPrivate} from '../machine/private-file.ts';

const KEY = /^[\u0021-\u007E]{1,4096}$/;
const RULE = 'a key is one word of 1 to 4096 printable ASCII characters';

const keyIn = (file: string, place: string): string => {
	const found = readPrivate(file);
	if ('text' in found) return found.text;
	if (found.fault === 'no-file')
		throw new ModelsError(`${place} ${file} is not a file; name a file that contains only the key.`);
	if (found.fault === 'open')
		throw new ModelsError(`${place} ${file} must be private; run chmod 600 on it.`, {unsafe: true});
	throw new ModelsError(
		`${place} ${file} cannot be read (${found.fault}); put the key there, or name another file.`,
	);
};

/**
 * Keys by model of the assistant, from files and environment variables. Unset variables are
 * skipped. Removes the variables from `environment`, so that child processes do not get them.
 * @throws {ModelsError} if a file cannot be used, or does not contain a key.
 */
export const loadModelKeys = (
	models: ModelsSettings,
	settingsFile: string,
	environment: NodeJS.ProcessEnv,
): ReadonlyMap<string, string> => {
	const keys = new Map<string, string>();
	for (const [id, {keyVariable, keyFile}] of models) {
		const place = `${settingsFile}: ${id}.${keyFile === undefined ? 'keyVariable' : 'keyFile'}`;
		const key =
			keyFile === undefined
				? (environment[keyVariable ?? '']?.trim() ?? '')
				: keyIn(pathOf(keyFile, settingsFile), place);
		if (keyFile === undefined && key === '') continue;
		if (!KEY.test(key))
			throw new ModelsError(
				`${place} names ${keyFile === undefined ? 'a variable' : 'a file'} without a usable key; ${RULE}.`,
			);
		keys.set(id, key);
	}
	for (const {keyVariable} of models.values()) if (keyVariable !== undefined) delete environment[keyVariable];
	return keys;
};

/**
 * Returns a {@link loadModelKeys} that can be called repeatedly, because it remembers keys from
 * variables.
 */
export const createModelKeys = (
	settingsFile: string,
	environment: NodeJS.ProcessEnv = process.env,
): ((models: ModelsSettings) => ReadonlyMap<string, string>) => {
	const variables: NodeJS.ProcessEnv = {};
	return models => {
		for (const {keyVariable = ''} of models.values()) {
			if (environment[keyVariable] === undefined) continue;
			variables[keyVariable] = environment[keyVariable];
			delete environment[keyVariable];
		}
		return loadModelKeys(models, settingsFile, {...variables});
	};
};
