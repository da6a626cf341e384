import tseslint from 'typescript-eslint';
import {commentLanguage} from './test/tooling/comment-language.ts';

const source = 'src/**/*.{ts,tsx}';
const tests = 'test/**/*.{ts,tsx}';

// ESLint applies `no-restricted-syntax` and `no-restricted-imports` only from the last entry that
// matches a file. Each entry below therefore repeats all restrictions.
const defaultExport = {selector: 'ExportDefaultDeclaration', message: 'Named exports only.'};
const literalColour = {
	selector: 'JSXAttribute[name.name=/[cC]olor$/] Literal',
	message: 'Colours are roles: take one from tui/core/theme.',
};
const surroundings = {
	selector: 'MemberExpression[object.name="process"][property.name=/^(argv|env)$/]',
	message: 'argv and env are read in boot, main, settings and machine/home only: pass the value in.',
};
const sleeps = {
	selector:
		'CallExpression[callee.name=/^(setTimeout|setInterval)$/], CallExpression[callee.property.name=/^(setTimeout|setInterval)$/]',
	message: 'Tests wait for a condition: until(), expect.poll(), vi.waitFor().',
};
const moduleMocks = {
	selector:
		'CallExpression[callee.object.name="vi"][callee.property.name=/^(mock|doMock|hoisted|stubGlobal)$/]',
	message: 'Tests run the real thing: no module mocks.',
};

const zodNamespace = {
	selector: 'ImportDeclaration[source.value="zod"] > :matches(ImportSpecifier, ImportDefaultSpecifier)',
	message: "Write `import * as z from 'zod'`: it is five times smaller in the bundle.",
};

const processImport = {
	name: 'node:process',
	message: 'Use the global `process`, where the rule on argv and env sees it.',
};
const timersImports = ['node:timers/promises', 'timers/promises'].map(name => ({
	name,
	message: 'Tests wait for a condition, they never sleep.',
}));
const keyImport = {
	name: 'ink',
	importNames: ['useInput', 'usePaste', 'useStdin'],
	message: 'Keys reach screens through tui/core/keys: Ink gives every key to every listener.',
};
const restricted = (...paths) => ['error', {paths}];

const programs = [
	'src/app/boot.ts',
	'src/app/main.tsx',
	'src/app/main-command.ts',
	'src/settings/**',
	'src/machine/home.ts',
	'src/build/**',
	'src/engines/pyodide/engine.ts',
];

export default tseslint.config(
	{ignores: ['dist/**', 'node_modules/**', 'test/tooling/fixtures/**']},
	{
		files: [source, tests],
		plugins: {'@typescript-eslint': tseslint.plugin, files: {rules: {'comment-language': commentLanguage}}},
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: {projectService: true, tsconfigRootDir: import.meta.dirname},
		},
		linterOptions: {noInlineConfig: true},
		rules: {
			'files/comment-language': 'error',
			'prefer-const': 'error',
			'no-var': 'error',
			eqeqeq: ['error', 'always', {null: 'ignore'}],
			'no-debugger': 'error',
			'no-eval': 'error',
			'no-console': 'error',
			'no-restricted-globals': ['error', {name: 'fetch', message: 'HTTP goes through src/api.'}],
			'no-restricted-syntax': ['error', defaultExport, literalColour, surroundings, zodNamespace],
			'no-restricted-imports': restricted(processImport, keyImport),
			'no-warning-comments': [
				'error',
				{terms: ['eslint-disable', 'eslint-enable', '@ts-nocheck', 'prettier-ignore'], location: 'anywhere'},
			],
			'max-lines': ['warn', {max: 300}],
			'@typescript-eslint/ban-ts-comment': [
				'error',
				{'ts-expect-error': true, 'ts-ignore': true, 'ts-nocheck': true, 'ts-check': false},
			],
			'@typescript-eslint/consistent-type-imports': [
				'error',
				{fixStyle: 'inline-type-imports', disallowTypeAnnotations: false},
			],
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{
					args: 'after-used',
					argsIgnorePattern: '^_',
					varsIgnorePattern: '^_$',
					caughtErrors: 'all',
					ignoreRestSiblings: true,
				},
			],
			'@typescript-eslint/no-floating-promises': ['error', {ignoreVoid: true}],
			'@typescript-eslint/no-misused-promises': ['error', {checksVoidReturn: {attributes: false}}],
			'@typescript-eslint/await-thenable': 'error',
			// A promise that is returned without `await` outlives the resource of an `await using`.
			'@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
			'@typescript-eslint/only-throw-error': 'error',
			'@typescript-eslint/switch-exhaustiveness-check': ['error', {considerDefaultExhaustiveForUnions: true}],
		},
	},
	{files: programs, rules: {'no-restricted-syntax': ['error', defaultExport, literalColour, zodNamespace]}},
	{files: ['src/build/**'], rules: {'no-console': 'off'}},
	{
		// These files replace bundled packages that have a default export.
		files: ['src/build/fast-*.ts'],
		rules: {'no-restricted-syntax': 'off'},
	},
	{files: ['src/engines/**'], rules: {'no-restricted-globals': 'off'}},
	{
		files: ['src/tui/core/theme/**'],
		rules: {'no-restricted-syntax': ['error', defaultExport, surroundings, zodNamespace]},
	},
	{files: ['src/tui/core/keys/**'], rules: {'no-restricted-imports': restricted(processImport)}},
	{
		files: [tests],
		rules: {
			'no-console': 'off',
			'no-restricted-globals': 'off',
			'no-restricted-syntax': ['error', defaultExport, sleeps, moduleMocks],
			'no-restricted-imports': restricted(...timersImports),
			'max-lines': ['warn', {max: 400}],
		},
	},
	{
		// The harness waits and measures time for the tests; benchmarks wait before they measure.
		files: ['test/support/**', 'test/bench/**'],
		ignores: ['**/*.test.{ts,tsx}'],
		rules: {'no-restricted-syntax': ['error', defaultExport, moduleMocks], 'no-restricted-imports': 'off'},
	},
	{files: ['test/vitest.config.ts'], rules: {'no-restricted-syntax': 'off'}},
);
