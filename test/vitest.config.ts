import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';
import {withoutTests} from './support/without-tests.ts';

/** Functions of values: `npm run test:unit`. */
const pure = [
	'test/{contract,costs,kernel,query,run,settings,text,work}/**/*.test.ts',
	'test/engines/ssh/**/*.test.ts',
];
/** Parts of the program in the test's own process: the store with its screens, files and tools. */
const parts = ['test/{machine,storage,tooling,tui}/**/*.test.{ts,tsx}'];
/** Requires a build, which `pure` does without. */
const globalSetup = [fileURLToPath(new URL('./support/built.ts', import.meta.url))];
/** Every state of every screen. */
const drawn = ['test/frames/**/*.test.ts'];
/** Small files that take minutes: they start a hub, SSH hosts or a cluster. */
const starts = /\bfrom '[./]+\/support\/(?:hub|lab-service|lab\/[a-z-]+)\.ts'/;

/** Kinds of files, in the order in which they start. Files of equal rank are mixed. */
const RANKS = {drawn: 0, hosts: 1, programs: 1, parts: 2, pure: 3};

/**
 * The slow files first, so that no worker is alone with one at the end: files that draw every
 * state, then the largest. Files that start hosts wait most of their time, and are spread evenly
 * among the others, which compute. Vitest's own order would follow the last run, whose tests were
 * others: after `npm test`, files of long tests only would count as the fastest.
 * A worker is shared by the files of one project that follow each other.
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

// The single default export of the tree, since vitest accepts no other.
export default defineConfig({
	// React as shipped in the program: its development build draws more slowly, and JSX of that
	// build does not run in this one.
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
		// Tests of another engine name it, so that installed programs do not matter. A known size
		// keeps Ink from starting `tput` for each screen.
		env: {
			NODE_ENV: 'production',
			SVC_ENGINE: 'embedded',
			SVC_KEEP_KERNELS: 'never',
			COLUMNS: '80',
			LINES: '24',
			// Processes that run our sources strip them of their types once.
			NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
		},
		pool: 'forks',
		// SVC_BUILD=plain draws with unpatched Ink.
		execArgv:
			process.env['SVC_BUILD'] === 'plain'
				? []
				: ['--import', new URL('./support/ink-as-built.ts', import.meta.url).href],
		// A journey is itself three or four processes, which wait about half of their time. Long
		// tests wait more, so `test:long` takes five workers.
		maxWorkers: 3,
		sequence: {sequencer: LongestFirst},
		// Files share a worker and its modules: separate workers cost a quarter of a second each. A
		// file must undo its changes to the process.
		isolate: false,
		testTimeout: 180_000,
		expect: {poll: {timeout: 60_000, interval: 20}},
		hookTimeout: 120_000,
		// Processes of the last homes end during this time (support/homes.ts).
		teardownTimeout: 60_000,
		// `npm test` runs the tests that are not long or are short, `npm run test:all` the rest.
		// `// @module-tag long` at the head of a file makes all its tests long, except those with
		// `{tags: 'short'}`; elsewhere a single test has `{tags: 'long'}`. The `plain` journeys
		// drive the plain build: elsewhere both builds are the same code, and test/{tui,frames}
		// draw with unpatched Ink anyway.
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
