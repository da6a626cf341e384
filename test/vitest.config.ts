import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';
import {withoutTests} from './support/without-tests.ts';

/** Tests of pure functions: `npm run test:unit`. */
const pure = [
	'test/{contract,costs,kernel,query,run,settings,text,work}/**/*.test.ts',
	'test/engines/ssh/**/*.test.ts',
];
/**
 * Tests of parts of the program in the test's own process: the store with its screens, files and
 * tools.
 */
const parts = ['test/{machine,storage,tooling,tui}/**/*.test.{ts,tsx}'];
/** Checks that the build is current. Tests in `pure` do not need one. */
const globalSetup = [fileURLToPath(new URL('./support/built.ts', import.meta.url))];
/** Tests that draw every state of every screen. */
const drawn = ['test/frames/**/*.test.ts'];
/** Matches small test files that take minutes, because they start a hub, SSH hosts or a cluster. */
const starts = /\bfrom '[./]+\/support\/(?:hub|lab-service|lab\/[a-z-]+)\.ts'/;

/** Kinds of files, in the order in which they start. Files of equal rank are mixed. */
const RANKS = {drawn: 0, hosts: 1, programs: 1, parts: 2, pure: 3};

/**
 * Orders slow test files first, so that at the end no worker is alone with one: files that draw
 * every state, then the largest. Files that start hosts mostly wait, so they are spread evenly
 * among the files that compute. Vitest's own order would follow the last run, which may have had
 * other tests: after `npm test`, files with long tests only would count as the fastest. One worker
 * runs successive files of a project.
 */
class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sized = files.map(file => {
			const text = readFileSync(file.moduleId, 'utf8');
			const {name} = file.project;
			const kind = (name === 'programs' && starts.test(text) ? 'hosts' : name) as keyof typeof RANKS;
			return {file, kind, size: text.length};
		});
		const kinds = Map.groupBy(
			sized.toSorted((a, b) => b.size - a.size),
			({kind}) => kind,
		);
		const placed = [...kinds].flatMap(([kind, own]) =>
			own.map(({file}, index) => ({file, place: RANKS[kind] + (index + 0.5) / own.length})),
		);
		return placed.toSorted((a, b) => a.place - b.place).map(({file}) => file);
	}
}

const tagsFilter = process.argv.find(each => each.startsWith('--tags-filter='))?.split('=')[1];

// The only default export of the repository, because vitest requires one.
export default defineConfig({
	// Uses the production build of React, as the program does. The development build is slower, and
	// its JSX does not run here.
	oxc: {jsx: {runtime: 'automatic', development: false}},
	root: fileURLToPath(new URL('..', import.meta.url)),
	test: {
		exclude: [
			'test/bench/**',
			'test/tooling/fixtures/**',
			'**/node_modules/**',
			...withoutTests(fileURLToPath(new URL('.', import.meta.url)), tagsFilter),
		],
		setupFiles: [fileURLToPath(new URL('./support/each-test.ts', import.meta.url))],
		// Installed programs must not matter, so tests of another engine select it. With a known
		// size, Ink does not start `tput` for each screen.
		env: {
			NODE_ENV: 'production',
			SVC_ENGINE: 'embedded',
			SVC_KEEP_KERNELS: 'never',
			COLUMNS: '80',
			LINES: '24',
			// Processes that run our sources share compiled code, so types are stripped only once.
			NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
		},
		pool: 'forks',
		// Tests draw with unpatched Ink if SVC_BUILD is `plain`.
		execArgv:
			process.env['SVC_BUILD'] === 'plain'
				? []
				: ['--import', new URL('./support/ink-as-built.ts', import.meta.url).href],
		// A journey starts three or four processes, which wait about half of their time. On two
		// cores, long tests took no less time with five workers.
		maxWorkers: 3,
		sequence: {sequencer: LongestFirst},
		// Test files share a worker and its modules, because separate workers cost a quarter of a
		// second each. A file must undo its changes to the process.
		isolate: false,
		testTimeout: 180_000,
		expect: {poll: {timeout: 60_000, interval: 20}},
		hookTimeout: 120_000,
		// The processes in the last homes end during this time (support/homes.ts).
		teardownTimeout: 60_000,
		// `npm test` runs tests without the tag `long` or with the tag `short`; `npm run test:all`
		// runs the others. `// @module-tag long` at the top of a file makes all its tests long,
		// except those with `{tags: 'short'}`. In other files, a single test may have `{tags:
		// 'long'}`.
		// Journeys with the tag `plain` run on the plain build. Elsewhere both builds have the same
		// code, and test/{tui,frames} draw with unpatched Ink anyway.
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
			// These tests draw nothing.
			{extends: true, test: {name: 'pure', include: pure, execArgv: []}},
			{extends: true, test: {name: 'parts', include: parts, globalSetup}},
			{extends: true, test: {name: 'drawn', include: drawn, globalSetup}},
			{
				extends: true,
				test: {
					name: 'programs',
					include: ['test/**/*.test.ts'],
					exclude: [...pure, ...parts, ...drawn],
					globalSetup,
				},
			},
		],
		allowOnly: false,
		passWithNoTests: false,
	},
});
