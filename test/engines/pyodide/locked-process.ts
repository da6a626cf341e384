// Tries to use objects that code could reach if it escaped from Python to JavaScript. The engine's
// process blocks them as a second line of defence.
import {writeSync} from 'node:fs';
import {confine, lockDown} from '../../../src/engines/pyodide/sandbox.ts';

const ways = JSON.parse(process.argv[2] ?? '[]') as readonly string[];
confine();
lockDown();
const results = await Promise.all(
	ways.map(async way => {
		try {
			return `open: ${String(await new Function(`return (async () => (${way}))()`)())}`;
		} catch (error) {
			return `closed: ${error instanceof Error ? error.message : String(error)}`;
		}
	}),
);
writeSync(1, JSON.stringify(results));
