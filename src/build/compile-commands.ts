// Runs the service and one command of each kind in one process. It saves the compiled code of both
// in the folder KEPT (compiled-code.ts): `node compile-commands.ts DIST KEPT`.
import {mkdirSync, readFileSync} from 'node:fs';
import module from 'node:module';
import {join} from 'node:path';
import {loadCommands, loadService} from '../app/load-script.ts';

const COMMANDS = [
	['servers'],
	['servers', '--json'],
	['environments'],
	['compute', '--json'],
	['files', 'list', 'none'],
	['server', 'stop', 'none'],
	['run', 'none', '--code', '1'],
	['mcp'],
	['--help'],
];

const [dist = '', kept = ''] = process.argv.slice(2);
mkdirSync(kept, {recursive: true});
module.enableCompileCache(kept);
// No limit, because each command adds its own signal listeners.
process.setMaxListeners(0);
const listening = Promise.withResolvers<string>();
// Captures the output instead of printing it.
process.stdout.write = ((text: string, written?: () => void) => {
	const [, url] = /^listening on (\S+)\n/.exec(text) ?? [];
	if (url !== undefined) listening.resolve(url);
	written?.();
	return true;
}) as typeof process.stdout.write;

const service = await loadService(dist);
const commands = await loadCommands(dist);
const served = service.serve(['--data', 'data'], process.env);
process.env['SVC_BASE_URL'] = await listening.promise;
process.env['SVC_API_KEY'] = readFileSync(join('data', 'key'), 'utf8').trim();
for (const command of COMMANDS) await commands.runCommand(command);
process.emit('SIGTERM');
await served;
service.keepCompiled();
commands.keepCompiled();
process.exit(0);
