// What a server says of its load, as far as it says it.
import {expect, test} from 'vitest';
import {createLoad} from '../../../src/api/live/load.ts';

const asking = (answers: readonly (readonly [status: number, json: unknown] | null)[]) => {
	const asked: string[] = [];
	const load = createLoad(async (method, path) => {
		asked.push(`${method} ${path.split('?')[0]}`);
		const [status, json] = answers[asked.length - 1] ?? [0, undefined];
		return Promise.resolve(answers[asked.length - 1] === null ? null : {status, json});
	});
	return {asked, load};
};

test('the answer of jupyter-resource-usage, and the memory of kernels besides', async () => {
	const {load} = asking([
		[200, {rss: 1e9, pss: null, limits: {memory: {rss: 4e9, warn: false}}, cpu_percent: 98.4, cpu_count: 2}],
		[200, {rss: 5e8, limits: {}, cpu_count: 2, kernels: {one: 4e8}}],
		[200, {rss: 'much', limits: [], cpu_percent: -1, kernels: {one: null}}],
	]);
	expect(await load()).toEqual({memory: 1e9, memoryLimit: 4e9, cpu: 98.4, kernels: new Map()});
	expect(await load()).toEqual({memory: 5e8, memoryLimit: null, cpu: null, kernels: new Map([['one', 4e8]])});
	expect(await load()).toEqual({memory: null, memoryLimit: null, cpu: null, kernels: new Map()});
});

test('a server without it is asked once; one that does not answer now, or fails, is asked again', async () => {
	const {asked, load} = asking([null, [503, {}], [404, {message: 'Not Found'}]]);
	for (let time = 0; time < 5; time++) expect(await load()).toBeNull();
	expect(asked).toEqual(Array(3).fill('GET metrics/v1'));
});
