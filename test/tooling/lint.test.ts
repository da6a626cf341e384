// @module-tag long
import {fileURLToPath} from 'node:url';
import {ESLint, type Linter} from 'eslint';
import {beforeAll, expect, test} from 'vitest';
import {expectedFindings} from './fixtures.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const root = fileURLToPath(new URL('fixtures/lint', import.meta.url));
const expected = expectedFindings(root);
// The fixtures have the folder structure of the repository, so that the globs of the rules are
// tested too.
const eslint = new ESLint({cwd: root, overrideConfigFile: `${repository}/eslint.config.js`});
let found: ReadonlyMap<string, readonly Linter.LintMessage[]>;

beforeAll(async () => {
	const results = await eslint.lintFiles(['.']);
	found = new Map(results.map(result => [result.filePath.slice(root.length + 1), result.messages]));
});

test.each([...expected])('%s breaks what it says, and nothing else', (file, breaks) => {
	const messages = found
		.get(file)!
		.filter(({ruleId}) => ruleId !== null)
		.map(({ruleId, message}) => `${ruleId} ${message}`)
		.toSorted();
	expect(
		messages.map((message, index) => (message.startsWith(breaks[index] ?? '\0') ? breaks[index] : message)),
	).toEqual(breaks);
});

test('every rule of the lint has a file that breaks it', async () => {
	const proven = new Set([...found.values()].flat().map(({ruleId}) => ruleId));
	const rules = new Set<string>();
	for (const file of [
		'src/tui/store/bad-store.ts',
		'src/tui/screens/bad-screen.tsx',
		'test/bad-waiting.test.ts',
		'src/app/boot.ts',
	]) {
		const config = (await eslint.calculateConfigForFile(`${root}/${file}`)) as Linter.Config;
		for (const [rule, entry] of Object.entries(config.rules ?? {}))
			if (Array.isArray(entry) ? entry[0] !== 0 : entry !== 0) rules.add(rule);
	}
	expect([...rules].filter(rule => !proven.has(rule))).toEqual([]);
});

test('a comment cannot switch a rule off', () => {
	expect(
		found.get('src/tui/store/bad-style.ts')!.some(({message}) => message.includes("'noInlineConfig'")),
	).toBe(true);
});
