// Builds the screens, the commands and the service as scripts instead of modules. Only for a script
// can the compiled code of its functions be saved after it has run (app/load-script.ts).
import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {build, type BuildOptions, type BuildResult, type Plugin} from 'esbuild';
import type {ScriptName} from '../text/script-code.ts';

/** Plugin that makes the boot code load the scripts instead of the modules. */
export const loadsScripts = (root: string): Plugin => ({
	name: 'loads-scripts',
	setup({onResolve}) {
		onResolve({filter: /\/load-main\.ts$/}, () => ({path: join(root, 'src/app/load-script.ts')}));
	},
});

/** Escapes non-ASCII characters. esbuild leaves them only in regular expressions. */
const toAscii = (text: string): string =>
	text.replaceAll(/[\u0080-\uFFFF]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Builds `NAME.cjs`: the hash of the code, then the module as a function with the CommonJS
 * variables as parameters.
 */
export const buildScript = async (
	name: ScriptName,
	entry: string,
	options: BuildOptions & {readonly write: false; readonly metafile: true},
): Promise<BuildResult<{write: false; metafile: true}>> => {
	const built = await build({
		...options,
		format: 'cjs',
		banner: {},
		entryPoints: [{in: entry, out: name}],
		outExtension: {'.js': '.cjs'},
		define: {
			...options.define,
			'import.meta.dirname': '__dirname',
			'import.meta.filename': '__filename',
			'import.meta.url': '__url',
		},
	});
	const outputFiles = built.outputFiles.map(file => {
		const body = toAscii(file.text).replaceAll(/\bimport\(/g, '$$import(');
		const text = `(function(module,exports,require,$import,__filename,__dirname,__url){${body}})`;
		const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
		return {...file, text, contents: Buffer.from(`/*${hash}*/${text}`)};
	});
	return {...built, outputFiles};
};
