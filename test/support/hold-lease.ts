// A program that uses the local service of the folder in its first argument until it is killed; the
// second may name the service's program.
import {attachLocal} from '../../src/launch/attach-local.ts';
import {serveProgram} from './serve-program.ts';

const [, , dataFolder = '', script] = process.argv;
const {baseUrl} = await attachLocal({
	dataFolder,
	program: script === undefined ? serveProgram : [process.execPath, script],
});
process.stdout.write(`${baseUrl}\n`);
setInterval(() => {}, 1000);
