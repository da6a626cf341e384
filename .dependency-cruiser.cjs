// The arrows of src/README.md. `text` is open to every layer; what is not named here may not be imported.
const arrows = {
	ui: ['store', 'contract', 'query'],
	commands: ['api', 'contract', 'settings', 'query'],
	store: ['api', 'contract', 'settings', 'query'],
	api: ['contract'],
	service: ['engines', 'contract', 'settings'],
	engines: ['contract'],
	launch: ['api', 'settings'],
	contract: [],
	settings: [],
	query: ['contract'],
	text: [],
	build: ['engines'],
};

const layer = ([name, open]) => ({
	name: `arrow-${name}`,
	comment: `src/${name} may use ${[...new Set([...open, 'text'])].join(', ')} and itself.`,
	severity: 'error',
	from: {path: `^src/${name}/`},
	to: {path: '^src/', pathNot: `^src/(${[name, 'text', ...open].join('|')})/`},
});

/** A package that only some places may import. */
const only = (name, packages, places) => ({
	name: `only-${name}`,
	comment: `${packages} belongs to ${places}.`,
	severity: 'error',
	from: {path: '^src/', pathNot: places},
	to: {path: `(^|/)node_modules/(${packages})/`},
});

module.exports = {
	forbidden: [
		...Object.entries(arrows).map(layer),
		{
			name: 'query-names-types-only',
			comment: 'src/query may name types of the contract; its values would bring zod along.',
			severity: 'error',
			from: {path: '^src/query/'},
			to: {path: '^src/contract/', pathNot: '^src/contract/names\\.ts$', dependencyTypesNot: ['type-only']},
		},
		{
			name: 'ui-names-types-only',
			comment: 'The first frame must not wait for zod: src/ui takes values of the contract from names.ts only.',
			severity: 'error',
			from: {path: '^src/ui/'},
			to: {path: '^src/contract/', pathNot: '^src/contract/names\\.ts$', dependencyTypesNot: ['type-only']},
		},
		{
			name: 'unknown-layer',
			comment: 'A new folder of src needs its arrows first: add a row above.',
			severity: 'error',
			from: {path: '^src/[^/]+/', pathNot: `^src/(${Object.keys(arrows).join('|')})/`},
			to: {},
		},
		{
			name: 'nobody-imports-the-roots',
			comment: 'boot starts main, main composes everything, build makes dist: nobody imports them.',
			severity: 'error',
			from: {path: '^src/', pathNot: '^src/(build/|boot\\.ts$)'},
			to: {path: '^src/(build/|boot\\.ts$|main)'},
		},
		{
			name: 'src-knows-no-tests',
			severity: 'error',
			from: {path: '^src/'},
			to: {path: '^test/'},
		},
		{
			name: 'no-cycles',
			severity: 'error',
			from: {},
			to: {circular: true},
		},
		{
			name: 'resolvable',
			comment: 'An import that does not resolve escapes every other rule.',
			severity: 'error',
			// The peers' packages are installed by the tests that need them.
			from: {pathNot: '^test/peers/[^/]+\\.mjs$'},
			// The build's own prefix, which its plugin resolves.
			to: {couldNotResolve: true, pathNot: '^original:'},
		},
		{
			name: 'no-dev-packages',
			comment: 'The program runs without devDependencies.',
			severity: 'error',
			from: {path: '^src/', pathNot: '^src/build/'},
			to: {dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/'},
		},
		only('got', 'got', '^src/api/'),
		only('ink', 'ink|ink-[^/]+|react', '^src/(ui/|main\\.tsx$|build/)'),
		only('zustand', 'zustand', '^src/(store|ui)/'),
		only('hono', 'hono|@hono/[^/]+', '^src/service/'),
		only('pyodide', 'pyodide', '^src/(engines/pyodide|build)/'),
		only('commander', 'commander', '^src/(commands/|main)'),
		{
			name: 'only-sqlite',
			comment: 'The registry, and the lock of the data folder.',
			severity: 'error',
			from: {path: '^src/', pathNot: '^src/(service|settings)/'},
			to: {path: '^(node:)?sqlite$'},
		},
	],
	options: {
		doNotFollow: {path: 'node_modules'},
		tsPreCompilationDeps: true,
		tsConfig: {fileName: 'tsconfig.json'},
		// Without these names packages that are ESM only stay unresolved, and every rule on packages passes in silence.
		enhancedResolveOptions: {exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types']},
		exclude: {path: '^test/tooling/fixtures/'},
	},
};
