import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';

/** Functions of values, without processes. */
const pure = [
	'test/{contract,costs,kernel,machine,query,run,settings,storage,text,tooling,tui,work}/**/*.test.{ts,tsx}',
];
/** Every state of every screen. */
const drawn = ['test/frames/**/*.test.ts'];

/** Without an earlier run vitest begins with the largest files. Those that draw every state are small and long: as the last ones they kept one worker waiting. */
class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const draws = (file: TestSpecification): boolean => file.project.name === 'drawn';
		const others = sorted.filter(file => !draws(file));
		const at = others.findIndex(file => file.project.name === 'pure');
		return others.toSpliced(at < 0 ? others.length : at, 0, ...sorted.filter(draws));
	}
}

// The one default export of the tree: vitest reads no other.
export default defineConfig({
	// React as the program ships it: its development build draws slower. JSX of that build does not run in this one.
	oxc: {jsx: {runtime: 'automatic', development: false}},
	root: fileURLToPath(new URL('..', import.meta.url)),
	test: {
		exclude: ['test/bench/**', 'test/tooling/fixtures/**', '**/node_modules/**'],
		globalSetup: [fileURLToPath(new URL('./support/built.ts', import.meta.url))],
		setupFiles: [fileURLToPath(new URL('./support/each-test.ts', import.meta.url))],
		// Whatever is installed on the machine: tests of another engine name it.
		// Without a size Ink starts `tput` for each screen that is drawn to no terminal.
		env: {
			NODE_ENV: 'production',
			SVC_ENGINE: 'embedded',
			SVC_KEEP_KERNELS: 'never',
			COLUMNS: '80',
			LINES: '24',
		},
		pool: 'forks',
		execArgv: ['--import', new URL('./support/ink-as-built.ts', import.meta.url).href],
		// Each journey is itself three or four processes. Long ones wait more than they compute: `test:long` takes three.
		maxWorkers: 2,
		sequence: {sequencer: LongestFirst},
		// Files share a worker and its modules: one of its own costs a quarter of a second each. What a file changes of its process it changes back.
		isolate: false,
		testTimeout: 180_000,
		expect: {poll: {timeout: 60_000, interval: 20}},
		hookTimeout: 120_000,
		// Processes of the last homes end meanwhile (support/homes.ts).
		teardownTimeout: 60_000,
		// `npm test` runs what is not long or is short, `npm run test:all` the rest. `// @module-tag long` at the head of a file
		// makes all of it long but for its tests with `{tags: 'short'}`; elsewhere a single test has `{tags: 'long'}`. The plain build is
		// driven through the journeys that are `plain`: elsewhere both builds are the same code, and test/{tui,frames} draw with
		// Ink as it is anyway.
		tags: [
			{
				name: 'long',
				description: 'one of a matrix (kills, hostile texts, hubs, outages), or seconds of waiting',
			},
			{name: 'short', description: 'the short journey of a feature, in a file whose other tests are long'},
			{
				name: 'plain',
				description: "on what the plain build leaves out: how frames are drawn, and the program's own start",
			},
		],
		projects: [
			{extends: true, test: {name: 'pure', include: pure}},
			{extends: true, test: {name: 'drawn', include: drawn}},
			{extends: true, test: {name: 'programs', include: ['test/**/*.test.ts'], exclude: [...pure, ...drawn]}},
		],
		allowOnly: false,
		passWithNoTests: false,
	},
});
