// The example queries in the help and on the screen must match options in a new user's catalogue,
// which is that of the local service.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {computeOption, type ComputeOption} from '../../src/contract/compute.ts';
import {filterCompute} from '../../src/query/filter.ts';
import {parseQuery} from '../../src/query/language.ts';
import {localService} from '../support/local-service.ts';
import {shownText, withScene} from './draw.tsx';
import {scenes} from './scenes/index.ts';
import {listViews} from '../../src/tui/core/store/lists.ts';

const page = (name: string): string =>
	readFileSync(join(import.meta.dirname, `../../src/docs/${name}.md`), 'utf8');
const QUERY_HELP = page('query');

const SIZE = {columns: 200, rows: 40};

/** The hint of the empty query field. */
const hintOnScreen = async (): Promise<string> => {
	const scene = scenes.find(({screen, state}) => screen === 'compute' && state === 'full');
	if (scene === undefined) throw new RangeError('no scene of the catalogue');
	const frame = await withScene(
		{
			...scene,
			async arrive(store, clock) {
				await scene.arrive(store, clock);
				listViews(store.getState).setFiltering('compute');
			},
		},
		SIZE,
		drawn => drawn.frame,
	);
	return /^ +(gpu:.*?)  or any text/m.exec(await shownText(frame, SIZE))?.[1] ?? '';
};

const found = (catalogue: readonly ComputeOption[], query: string): number => {
	const parsed = parseQuery(query);
	expect(parsed, query).toMatchObject({ok: true});
	return parsed.ok ? filterCompute(catalogue, parsed.filter).length : 0;
};

test('every example of a query finds an offer of the local service', async () => {
	await using local = await localService();
	const {body} = await local.call('GET', '/api/compute');
	const catalogue = (body['compute'] as readonly unknown[]).map(item => computeOption.parse(item));
	const single = [await hintOnScreen(), /^(gpu:.*) {2}"any words"$/m.exec(QUERY_HELP)?.[1] ?? ''].flatMap(
		terms => terms.split(/ {2,}/),
	);
	expect(single.length).toBeGreaterThan(14);
	const whole = [
		...[...QUERY_HELP.matchAll(/--query '(.*?)'/g)].map(([, query = '']) => query),
		...[...page('recipe').matchAll(/# .*(gpu:\S+(?: \S+)*)$/gm)].map(([, query = '']) => query),
	];
	expect(whole).toHaveLength(3);
	expect([...single, ...whole].filter(query => found(catalogue, query) === 0)).toEqual([]);
});
