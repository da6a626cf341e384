// Allowed imports, as in src/README.md. `text` is open to every package; all others must be listed.
const clientArrows = [
	'api',
	'contract',
	'costs',
	'kernel',
	'machine',
	'query',
	'run',
	'settings',
	'storage',
	'tables',
	'work',
];
const arrows = {
	tui: clientArrows,
	cli: clientArrows,
	work: ['api', 'contract', 'run'],
	run: ['api', 'contract', 'kernel'],
	api: ['contract', 'kernel', 'machine'],
	service: ['engines', 'contract', 'kernel', 'machine', 'settings'],
	engines: ['contract', 'kernel', 'machine'],
	launch: ['api', 'machine', 'settings'],
	settings: ['contract', 'machine'],
	costs: ['machine', 'storage'],
	storage: ['contract', 'machine'],
	query: ['contract'],
	kernel: ['contract'],
	machine: ['contract'],
	contract: [],
	tables: [],
	text: [],
	build: ['engines', 'cli', 'app'],
};

// The features of src/tui. Each may use features in earlier rows, but not those in its own row.
const rooms = [
	['core'],
	['compute', 'environments', 'tables', 'pictures'],
	['servers'],
	['live'],
	['cells'],
	['files'],
	['notebook'],
	['repl'],
	['assistant'],
	['profiles'],
];

const external = require('./src/build/external.json').join('|');

const layer = ([name, open]) => ({
	name: `arrow-${name}`,
	comment: `src/${name} may use ${[...new Set([...open, 'text'])].join(', ')} and itself.`,
	severity: 'error',
	from: {path: `^src/${name}/`},
	to: {path: '^src/', pathNot: `^src/(${[name, 'text', ...open].join('|')})/`},
});

const room = (name, before) => ({
	name: `room-${name}`,
	comment: `src/tui/${name} may use ${[...before, 'itself'].join(', ')}: what another needs to know of it, it says in its value.`,
	severity: 'error',
	from: {path: `^src/tui/${name}/`},
	to: {path: '^src/tui/', pathNot: `^src/tui/(${[name, ...before].join('|')})/`},
});

/** Rule that only files under `places` may import `packages`. */
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
		...rooms.flatMap((row, at) => row.map(name => room(name, rooms.slice(0, at).flat()))),
		{
			name: 'unknown-room',
			comment: 'A new folder of src/tui needs its place among the rooms first: add it above.',
			severity: 'error',
			from: {path: '^src/tui/[^/]+/', pathNot: `^src/tui/(${rooms.flat().join('|')})/`},
			to: {},
		},
		{
			name: 'query-names-types-only',
			comment: 'src/query may name types of the contract; its values would bring zod along.',
			severity: 'error',
			from: {path: '^src/query/'},
			to: {
				path: '^src/contract/',
				pathNot: '^src/contract/(names|paths)\\.ts$',
				dependencyTypesNot: ['type-only'],
			},
		},
		{
			name: 'run-names-types-only',
			comment: 'The first frame must not wait for zod or got: src/run is given what it calls.',
			severity: 'error',
			from: {path: '^src/run/'},
			to: {path: '^src/(api|contract|kernel)/', dependencyTypesNot: ['type-only']},
		},
		{
			name: 'tui-names-types-only',
			comment:
				'The first frame must not wait for zod: src/tui takes values of the contract from names.ts and paths.ts only, and none of src/kernel.',
			severity: 'error',
			// This file is loaded after the first frame.
			from: {path: '^src/tui/', pathNot: '^src/tui/repl/restore-cells\\.ts$'},
			to: {
				path: '^src/(contract|kernel)/',
				pathNot: '^src/contract/(names|paths)\\.ts$',
				dependencyTypesNot: ['type-only'],
			},
		},
		{
			name: 'unknown-layer',
			comment: 'A new folder of src needs its arrows first: add a row above.',
			severity: 'error',
			from: {path: '^src/[^/]+/', pathNot: `^src/(app|${Object.keys(arrows).join('|')})/`},
			to: {},
		},
		{
			name: 'nobody-imports-the-roots',
			comment: 'app composes everything, build makes dist: nobody imports them.',
			severity: 'error',
			from: {path: '^src/', pathNot: '^src/(build|app)/'},
			to: {path: '^src/(build|app)/'},
		},
		{name: 'src-knows-no-tests', severity: 'error', from: {path: '^src/'}, to: {path: '^test/'}},
		{name: 'no-cycles', severity: 'error', from: {}, to: {circular: true}},
		{
			name: 'resolvable',
			comment: 'An import that does not resolve escapes every other rule.',
			severity: 'error',
			// The tests that start these programs install the packages that they import.
			from: {pathNot: '^test/peers/[^/]+\\.mjs$'},
			// The build's plugin resolves this prefix.
			to: {couldNotResolve: true, pathNot: '^original:'},
		},
		{
			name: 'external-is-a-dependency',
			comment:
				'An installation has no devDependencies: what the build leaves out of the bundle must not be one.',
			severity: 'error',
			from: {path: '^src/', pathNot: '^src/build/'},
			to: {path: `(^|/)node_modules/(${external})/`, dependencyTypesNot: ['npm', 'type-only']},
		},
		{
			name: 'bundled-is-no-dependency',
			comment: 'An installation would bring it a second time: what the build bundles is a devDependency.',
			severity: 'error',
			from: {path: '^src/', pathNot: '^src/build/'},
			to: {path: '(^|/)node_modules/', pathNot: `(^|/)node_modules/(${external})/`, dependencyTypes: ['npm']},
		},
		only('got', 'got', '^src/(api|engines/pyodide/packages)/'),
		only('ink', 'ink|ink-[^/]+|react', '^src/(tui/|app/main\\.tsx$|build/)'),
		only('zustand', 'zustand', '^src/tui/'),
		only('pyodide', 'pyodide', '^src/(engines/pyodide|build)/'),
		only('commander', 'commander', '^src/(cli/|build/|app/main)'),
		only('mcp', '@modelcontextprotocol/[^/]+', '^src/cli/mcp/sdk\\.ts$'),
		{
			name: 'only-sqlite',
			comment: 'The registry, the lock of the data folder, and files that are opened as tables.',
			severity: 'error',
			from: {path: '^src/', pathNot: '^src/(service|settings)/|^src/text/table/files/sqlite\\.ts$'},
			to: {path: '^(node:)?sqlite$'},
		},
	],
	options: {
		doNotFollow: {path: 'node_modules'},
		tsPreCompilationDeps: true,
		tsConfig: {fileName: 'tsconfig.json'},
		// ESM-only packages do not resolve without these names, and rules on them pass silently.
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'node', 'default', 'types'],
		},
		exclude: {path: '^test/tooling/fixtures/'},
	},
};
