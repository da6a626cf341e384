// @module-tag long
import {execFile} from 'node:child_process';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {beforeAll, expect, test} from 'vitest';
import {expectedFindings} from './fixtures.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const root = fileURLToPath(new URL('fixtures/arrows', import.meta.url));
const expected = expectedFindings(root);

type Cruise = {
	readonly summary: {
		readonly violations: readonly {readonly from: string; readonly rule: {readonly name: string}}[];
	};
};
let broken: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
	const {stdout} = await promisify(execFile)(
		`${repository}/node_modules/.bin/depcruise`,
		['src', 'test', '--config', `${repository}/.dependency-cruiser.cjs`, '--output-type', 'json'],
		{cwd: root, maxBuffer: 1 << 26},
	).catch((error: {stdout: string}) => error);
	const {violations} = (JSON.parse(stdout) as Cruise).summary;
	broken = new Map(
		[...Map.groupBy(violations, ({from}) => from)].map(([file, list]) => [
			file,
			list.map(({rule}) => rule.name).toSorted(),
		]),
	);
});

test.each([...expected])('%s breaks the arrows that it says, and no other', (file, breaks) => {
	expect(broken.get(file) ?? []).toEqual(breaks);
});

test('every rule of the arrows has a file that breaks it', () => {
	const {forbidden} = createRequire(import.meta.url)(`${repository}/.dependency-cruiser.cjs`) as {
		readonly forbidden: readonly {readonly name: string}[];
	};
	const proven = new Set([...broken.values()].flat());
	expect(forbidden.map(({name}) => name).filter(name => !proven.has(name))).toEqual([]);
});
