// Replacement for load-main.ts. It runs the screens, the commands or the service as a script, with
// V8's compiled code from the build or from an earlier start. Node's own compile cache is not
// enough: it is captured before a module runs, when almost none of its functions are compiled. With
// it, a start of the screens compiled 1,100 functions before the first frame.
import {readFileSync} from 'node:fs';
import module from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {Script} from 'node:vm';
import {writeDurably} from '../machine/atomic-write.ts';
import type {Commands, Main, Screens, Service} from './load-main.ts';
import {builtCode, HASH, type ScriptName} from '../text/script-code.ts';

/**
 * Releases the memory of a buffer now, because the next garbage collection may be minutes away.
 * Small buffers are left alone, because they share their memory.
 */
const release = ({buffer}: Buffer): void => {
	if (buffer.byteLength > Buffer.poolSize) (buffer as ArrayBuffer).transfer(0);
};

/** Text of an ASCII file. Reads one byte per character, which needs no decoding. */
const asciiOf = (file: string): string => {
	const bytes = readFileSync(file);
	const text = bytes.toString('latin1');
	release(bytes);
	return text;
};

/**
 * Compiled code in a file that starts with the hash of its script. Undefined if the hash differs.
 */
const codeOf = (file: string, hash: string): Buffer | undefined => {
	try {
		const kept = readFileSync(file);
		return kept.toString('latin1', 0, hash.length) === hash ? kept.subarray(hash.length) : undefined;
	} catch {
		return undefined;
	}
};

const loadScript = <Module>(name: ScriptName, dist: string): Main<Module> => {
	const filename = join(dist, `${name}.cjs`);
	const text = asciiOf(filename);
	const hash = text.slice(HASH.from, HASH.to);
	const folder = module.getCompileCacheDir();
	const file = folder === undefined ? undefined : join(folder, `${name}.code`);
	// The user's own cache is tried first. It exists if V8 has rejected the build's cache because
	// of another Node version or other flags. Only one cache can be tried: V8 would take a second
	// script of the same text from memory.
	const cachedData =
		(file === undefined ? undefined : codeOf(file, hash)) ?? codeOf(join(dist, builtCode(name)), hash);
	const script = new Script(text, {filename, ...(cachedData && {cachedData})});
	if (cachedData) release(cachedData);
	const isKept = cachedData !== undefined && script.cachedDataRejected === false;
	const made = {exports: {} as Module};
	const url = pathToFileURL(filename).href;
	const run = script.runInThisContext() as (...args: readonly unknown[]) => void;
	// Passed to the script, because Node warns about scripts that call `import` directly.
	const load = async (specifier: string): Promise<unknown> =>
		import(specifier.startsWith('./') ? new URL(specifier, url).href : specifier);
	run(made, made.exports, module.createRequire(url), load, filename, dist, url);
	const keepCompiled = (): void => {
		if (file === undefined || isKept) return;
		try {
			writeDurably(file, Buffer.concat([Buffer.from(hash), script.createCachedData()]));
		} catch {
			// Ignored: only the next start is slower.
		}
	};
	return {...made.exports, keepCompiled};
};

export const loadScreens = async (): Promise<Main<Screens>> => loadScript('screens', import.meta.dirname);

/** `dist`: folder of the scripts. The build passes it, because it does not run from there. */
export const loadCommands = async (dist = import.meta.dirname): Promise<Main<Commands>> =>
	loadScript('commands', dist);

export const loadService = async (dist = import.meta.dirname): Promise<Main<Service>> =>
	loadScript('service', dist);
