import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';

// The one default export of the tree: vitest reads no other.
export default defineConfig({
	root: fileURLToPath(new URL('..', import.meta.url)),
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		exclude: ['test/bench/**', 'test/tooling/fixtures/**', '**/node_modules/**'],
		globalSetup: [fileURLToPath(new URL('support/built.ts', import.meta.url))],
		// Whatever is installed on the machine: tests of another engine name it.
		env: {SVC_ENGINE: 'embedded'},
		pool: 'forks',
		// Each journey is itself three or four processes.
		maxWorkers: 2,
		testTimeout: 60_000,
		// Hundreds of journeys share two cores with their own servers: one that missed its time on a busy machine is run again, and the report says so.
		retry: 2,
		hookTimeout: 30_000,
		teardownTimeout: 20_000,
		allowOnly: false,
		passWithNoTests: false,
	},
});
