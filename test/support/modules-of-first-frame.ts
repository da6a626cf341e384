// Loaded with `--import`: when the program writes its first frame, the names of Node's loaded
// modules are written to the file in LOADED_FILE, one a line.
import {writeFileSync} from 'node:fs';

// Node has the list but no type for it.
const {moduleLoadList} = process as unknown as {readonly moduleLoadList: readonly string[]};
const file = process.env['LOADED_FILE'];
const before = new Set(moduleLoadList);
const write = process.stdout.write.bind(process.stdout) as (...args: readonly unknown[]) => boolean;
process.stdout.write = ((...args: readonly unknown[]) => {
	if (file !== undefined && String(args[0]).includes('Servers')) {
		process.stdout.write = write as typeof process.stdout.write;
		writeFileSync(file, moduleLoadList.filter(name => !before.has(name)).join('\n'));
	}
	return write(...args);
}) as typeof process.stdout.write;
