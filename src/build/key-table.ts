// Writes the key table without the functions of its actions, for commands that never draw.
import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build, type BuildOptions} from 'esbuild';

/** Loads the list of features, and writes the key table that results to `keys.json`. */
export const writeKeyTable = async (root: string, dist: string, options: BuildOptions): Promise<void> => {
	const contents = `import './src/tui/feature-list.ts'; export {keymap} from './src/tui/core/keys/keymap.ts';`;
	await build({...options, stdin: {contents, resolveDir: root}, entryNames: 'keys', write: true});
	const bundle = join(dist, 'keys.js');
	const {keymap} = (await import(pathToFileURL(bundle).href)) as {readonly keymap: object};
	await writeFile(join(dist, 'keys.json'), JSON.stringify(keymap));
	await rm(bundle);
};
