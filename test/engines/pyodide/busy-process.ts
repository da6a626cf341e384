// Process for tests that kill it. Opens a session on the folder in its first argument and runs
// endless code there.
import {existsSync, watch} from 'node:fs';
import {createPyodideEngine} from '../../../src/engines/pyodide/pyodide-engine.ts';
import {sessionOptions} from '../../support/session-options.ts';

const root = process.argv[2] ?? '';
const watcher = watch(root, () => {
	if (!existsSync(`${root}/begun`)) return;
	watcher.close();
	process.stdout.write('running\n');
});
const session = await createPyodideEngine().open(sessionOptions(root));
await session.run("open('begun', 'w').close()\nwhile True: pass", {kernel: 'python3'});
