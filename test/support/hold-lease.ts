// A program that uses the local service of the folder in its first argument until it is killed.
import {attachLocal} from '../../src/launch/attach-local.ts';
import {serveProgram} from './serve-program.ts';

const {baseUrl} = await attachLocal({dataFolder: process.argv[2] ?? '', program: serveProgram});
process.stdout.write(`${baseUrl}\n`);
setInterval(() => {}, 1000);
