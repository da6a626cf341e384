// Process that saves one file while the file system fails, or the process is killed, at one step of
// the save. Usage: `node fault-process.ts ROOT PATH STEP CODE`. CODE is an errno name,
// `kill-before` or `kill-after`. Prints the outcome.
import fs, {type FileHandle} from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import {constants} from 'node:os';

const [, , root = '', path = '', step = '', code = ''] = process.argv;
let steps = 0;
const taken: string[] = [];

/**
 * Wraps functions of the file system. Counts the calls that change something, and fails at the
 * requested one.
 */
const stumble = <Parameters extends unknown[], Result>(
	name: string,
	original: (...parameters: Parameters) => Promise<Result>,
) =>
	async function (this: unknown, ...parameters: Parameters): Promise<Result> {
		if (++steps !== Number(step)) return original.apply(this, parameters);
		taken.push(name);
		if (code === 'kill-before') process.kill(process.pid, 'SIGKILL');
		if (code === 'kill-after') {
			await original.apply(this, parameters);
			process.kill(process.pid, 'SIGKILL');
		}
		throw Object.assign(new Error(`${code}: injected, ${name} '/a/path/of/this/machine'`), {
			code,
			errno: -(constants.errno[code as keyof typeof constants.errno] ?? 5),
			syscall: name,
		});
	};

const handle = await fs.open(process.execPath);
const handles = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();
Object.assign(handles, {
	writeFile: stumble('write', handles.writeFile),
	sync: stumble('fsync', handles.sync),
	chmod: stumble('fchmod', handles.chmod),
	utimes: stumble('futimes', handles.utimes),
});
const open = fs.open;
Object.assign(fs, {
	// Opening a file changes something only if it creates the file.
	open: (...parameters: Parameters<typeof open>) =>
		parameters[1] === 'wx' ? stumble('open', open)(...parameters) : open(...parameters),
	rename: stumble('rename', fs.rename),
	mkdir: stumble('mkdir', fs.mkdir),
});
syncBuiltinESMExports();

const {folderFiles} = await import('../../../src/engines/folder-files.ts');
const outcome = await folderFiles(root)
	.put(path, {type: 'file', format: 'text', content: 'new'.repeat(50_000)})
	.then(
		() => ({saved: true}),
		(error: {status?: number; message: string}) => ({
			saved: false,
			status: error.status,
			message: error.message,
		}),
	);
console.log(JSON.stringify({...outcome, step: taken[0] ?? null}));
