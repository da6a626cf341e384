// Process that holds a lease of the local service until it is killed. The first argument is the
// service's data folder, the second may be the program of the service.
import {attachLocal} from '../../src/launch/attach-local.ts';
import {serveProgram} from './serve-program.ts';

const [, , dataFolder = '', script] = process.argv;
const {baseUrl} = await attachLocal({
	dataFolder,
	program: script === undefined ? serveProgram : [process.execPath, script],
});
process.stdout.write(`${baseUrl}\n`);
setInterval(() => {}, 1000);
