// `npm run bench [-- NAME]` runs the benches, prints a table and writes bench-results.json. It
// exits with 1 if a bench failed, not if a budget was exceeded.
import {writeFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {fileURLToPath} from 'node:url';
import {setup as requireBuild} from '../support/built.ts';
import {summarize, table, type Measurement, type Row} from './measurement.ts';

// Imported one by one, so that a broken bench does not stop the others.
const benches: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
	start: async () => (await import('./start.ts')).start(),
	keys: async () => (await import('./keys.ts')).keys(),
	rows: async () => (await import('./rows.ts')).rows(),
	files: async () => (await import('./files.ts')).files(),
	tables: async () => (await import('./tables.ts')).tables(),
	frames: async () => (await import('./frames.ts')).frames(),
	notebooks: async () => (await import('./notebooks.ts')).notebooks(),
	transcript: async () => (await import('./transcript.ts')).transcript(),
	output: async () => (await import('./output.ts')).output(),
	engines: async () => (await import('./engines.ts')).engines(),
	live: async () => (await import('./live.ts')).live(),
	completion: async () => (await import('./completion.ts')).completion(),
	hub: async () => (await import('./hub.ts')).hub(),
	remote: async () => (await import('./remote.ts')).remote(),
	scale: async () => (await import('./scale.ts')).scale(),
	lists: async () => (await import('./lists.ts')).lists(),
	service: async () => (await import('./service.ts')).service(),
	idle: async () => (await import('./idle.ts')).idle(),
	answer: async () => (await import('./answer.ts')).answer(),
	questions: async () => (await import('./questions.ts')).questions(),
	hour: async () => (await import('./hour.ts')).hour(),
	growth: async () => (await import('./growth.ts')).growth(),
	flood: async () => (await import('./flood.ts')).flood(),
	memory: async () => (await import('./memory.ts')).memory(),
};

const named = process.argv[2];
if (named !== undefined && !(named in benches)) {
	console.error(`There is no bench ${named}: ${Object.keys(benches).join(', ')}.`);
	process.exit(2);
}
await requireBuild();

const rows: Row[] = [];
for (const [name, bench] of Object.entries(benches)) {
	if (named !== undefined && name !== named) continue;
	process.stderr.write(`${name} …\n`);
	try {
		rows.push(...(await bench()).map(summarize));
	} catch (error) {
		process.exitCode = 1;
		console.error(`${name} failed:`, error);
	}
}
console.log(table(rows));
const machine = {node: process.versions.node, cores: cpus().length, cpu: cpus()[0]?.model ?? 'unknown'};
writeFileSync(
	fileURLToPath(new URL('../../bench-results.json', import.meta.url)),
	`${JSON.stringify({measuredAt: new Date().toISOString(), machine, rows}, null, 2)}\n`,
);
