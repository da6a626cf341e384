import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {scriptFile, type ScriptValues} from './script.ts';

// The build copies the scripts to the folder of the built file.
const built = !import.meta.url.endsWith('.ts');
const jupyter = fileURLToPath(new URL(built ? '.' : '../jupyter/', import.meta.url));

const CHANNELS = ['kept_channels.py', 'kept_connection.py', 'kept_handler.py', 'kept_mailbox.py'];

/** Files that a server needs on its host, by path relative to the code folder. */
const bundleFiles = (): ReadonlyMap<string, string> =>
	new Map([
		...['run.sh', 'jupyter_server_config.py'].map(name => [name, scriptFile(name)] as const),
		['server_load.py', readFileSync(`${jupyter}server_load.py`, 'utf8')],
		...CHANNELS.map(
			name => [`kept-channels/${name}`, readFileSync(`${jupyter}kept-channels/${name}`, 'utf8')] as const,
		),
	]);

/** Values for `start.sh`, which stores these files on the host once per version. */
export const bundle = (): ScriptValues => {
	const files = [...bundleFiles()];
	const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);
	return {
		version,
		files: files.length,
		...Object.fromEntries(
			files.flatMap(([name, text], index) => [
				[`name_${index + 1}`, name],
				[`file_${index + 1}`, text],
			]),
		),
	};
};
