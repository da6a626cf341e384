// Replacement for load-screens.ts: runs the screens as a script, with V8's compiled code from the
// build or from an earlier start. Node's compile cache is captured before a module runs, when
// almost none of its functions are compiled. A start then compiled 1,100 of them before the first
// frame.
import {readFileSync} from 'node:fs';
import module from 'node:module';
import {join} from 'node:path';
import {Script} from 'node:vm';
import {writeDurably} from '../machine/atomic-write.ts';
import type {Screens} from './load-screens.ts';
import {BUILT_CODE, HASH} from '../text/script-code.ts';

/** Gives the memory of bytes back at once; the next collection may be minutes away. Few bytes share theirs with others. */
const release = ({buffer}: Buffer): void => {
	if (buffer.byteLength > Buffer.poolSize) (buffer as ArrayBuffer).transfer(0);
};

/** A file of ASCII: a byte a character, with nothing to decode. */
const asciiOf = (file: string): string => {
	const bytes = readFileSync(file);
	const text = bytes.toString('latin1');
	release(bytes);
	return text;
};

/** `file`: the hash of a script, and its code. */
const codeOf = (file: string, hash: string): Buffer | undefined => {
	try {
		const kept = readFileSync(file);
		return kept.toString('latin1', 0, hash.length) === hash ? kept.subarray(hash.length) : undefined;
	} catch {
		return undefined;
	}
};

export const loadScreens = async (): Promise<Screens> => {
	const filename = join(import.meta.dirname, 'main.cjs');
	const text = asciiOf(filename);
	const hash = text.slice(HASH.from, HASH.to);
	const folder = module.getCompileCacheDir();
	const file = folder === undefined ? undefined : join(folder, 'screens.code');
	// The user's own cache exists if the build's was rejected, by another Node version or other
	// flags. V8 serves a second script of the same text from memory, so only one cache can be
	// tried.
	const cachedData =
		(file === undefined ? undefined : codeOf(file, hash)) ??
		codeOf(join(import.meta.dirname, BUILT_CODE), hash);
	const script = new Script(text, {filename, ...(cachedData && {cachedData})});
	if (cachedData) release(cachedData);
	const isKept = cachedData !== undefined && script.cachedDataRejected === false;
	const made = {exports: {} as Pick<Screens, 'runScreens'>};
	const url = new URL('main.cjs', import.meta.url).href;
	const run = script.runInThisContext() as (...args: readonly unknown[]) => void;
	// Node warns of a script that imports by itself.
	const load = async (specifier: string): Promise<unknown> => import(specifier);
	run(made, made.exports, module.createRequire(url), load, filename, import.meta.dirname, url);
	const keepCompiled = (): void => {
		if (file === undefined || isKept) return;
		try {
			writeDurably(file, Buffer.concat([Buffer.from(hash), script.createCachedData()]));
		} catch {
			// The next start is slower.
		}
	};
	return {runScreens: made.exports.runScreens, keepCompiled};
};
