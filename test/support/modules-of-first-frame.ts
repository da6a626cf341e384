// Loaded with `--import`. When the program writes its first frame, this module writes the names of
// Node's loaded modules to the file in LOADED_FILE, one in each line.
import {writeFileSync} from 'node:fs';

// Node has this list, but its types do not.
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
