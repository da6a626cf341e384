// Script for `npm run dev [-- ARGUMENTS]`: builds and runs the program, and repeats this at each
// change of src.
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {watch} from 'node:fs';
import {join} from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Wait after a change, in ms, because an editor may write a file several times to save it. */
const QUIET_MS = 150;

let program: ChildProcess | undefined;
let isBuilding = false;

const run = (): void => {
	program = spawn(join(root, 'dist/svc-tui'), process.argv.slice(2), {stdio: 'inherit'});
	program.once('exit', (code, signal) => {
		program = undefined;
		// The user has quit the program, if it was not stopped here for a build.
		if (!isBuilding) process.exit(code ?? (signal === null ? 0 : 1));
	});
};

const restart = (): void => {
	isBuilding = true;
	const build = (): void => {
		const {status, stderr} = spawnSync(process.execPath, [join(root, 'src/build/build.ts')], {
			encoding: 'utf8',
		});
		isBuilding = false;
		if (status === 0) run();
		else console.error(`${stderr}\nThe next change of src builds again; Ctrl-C ends this.`);
	};
	if (program === undefined) return build();
	program.once('exit', build);
	program.kill('SIGTERM');
};

let timer: NodeJS.Timeout | undefined;
watch(join(root, 'src'), {recursive: true}, () => {
	clearTimeout(timer);
	timer = setTimeout(restart, QUIET_MS);
});
// Ctrl-C goes to all processes of the job. The program decides whether to quit.
process.on('SIGINT', () => {
	if (program === undefined) process.exit(130);
});
restart();
