// `npm run soak -- NAME [--seed N]` runs the long form of a test. Its short form runs with the
// other tests.
import {spawnSync} from 'node:child_process';
import {parseArgs} from 'node:util';
import {newSeed} from './support/random.ts';

const FILES: Readonly<Record<string, string>> = {
	kills: 'test/signals/kills.test.ts',
	load: 'test/service/hostile-user.test.ts',
	'notebook-kills': 'test/journeys/return-notebook.test.ts',
	remote: 'test/service/remote/random-breaks.test.ts',
	training: 'test/cli/training.test.ts',
};

const {values, positionals} = parseArgs({options: {seed: {type: 'string'}}, allowPositionals: true});
const file = FILES[positionals[0] ?? ''];
const seed = values.seed === undefined ? newSeed() : Number(values.seed);
if (file === undefined || positionals.length !== 1 || !Number.isSafeInteger(seed)) {
	console.error(`npm run soak -- NAME [--seed NUMBER], with one of: ${Object.keys(FILES).join(', ')}`);
	process.exit(64);
}
console.log(`seed ${seed}`);
const {status} = spawnSync('npx', ['vitest', 'run', '--config', 'test/vitest.config.ts', file], {
	stdio: 'inherit',
	env: {...process.env, SEED: String(seed), SVC_SOAK: '1'},
});
process.exitCode = status ?? 1;
