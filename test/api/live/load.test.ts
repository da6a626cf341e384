// Resource use of a server. Servers may report only some of the values.
import {expect, test} from 'vitest';
import {loadText} from '../../../src/tui/live/load.ts';
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
	const unknown = {memory: null, memoryLimit: null, cpu: null, gpu: null, kernels: new Map()};
	expect(await load()).toEqual({...unknown, memory: 1e9, memoryLimit: 4e9, cpu: 98.4});
	expect(await load()).toEqual({...unknown, memory: 5e8, kernels: new Map([['one', 4e8]])});
	expect(await load()).toEqual(unknown);
});

test('shared memory of processes counts once; several GPUs give the average, or nothing if one is unknown', async () => {
	const most = 24 * 2 ** 30;
	const {load} = asking([
		[200, {rss: 9e9, pss: 3e9, gpus: [{percent: 80, memory: 1e9, memory_limit: most}]}],
		[
			200,
			{
				gpus: [
					{percent: 80, memory: 1e9, memory_limit: most},
					{percent: 20, memory: 2e9, memory_limit: null},
				],
			},
		],
		[200, {gpus: [{percent: null}, {percent: 3}]}],
		[200, {gpus: []}],
		[200, {gpus: 'many'}],
	]);
	const told = [];
	for (let time = 0; time < 5; time++) told.push((await load()) ?? null);
	expect(told.map(each => each?.memory)).toEqual([3e9, null, null, null, null]);
	expect(told.map(each => each?.gpu)).toEqual([
		{count: 1, percent: 80, memory: 1e9, memoryLimit: most},
		{count: 2, percent: 50, memory: 3e9, memoryLimit: null},
		{count: 2, percent: null, memory: null, memoryLimit: null},
		null,
		null,
	]);
	expect(told.map(each => each && loadText(each))).toEqual([
		'3.0 G, 80 % GPU 1.0 G of 25.8 G',
		'50 % of 2 GPUs 3.0 G',
		'? % of 2 GPUs',
		'',
		'',
	]);
});

test('a server without it is asked once; one that does not answer now, or fails, is asked again', async () => {
	const {asked, load} = asking([null, [503, {}], [404, {message: 'Not Found'}]]);
	for (let time = 0; time < 5; time++) expect(await load()).toBeNull();
	expect(asked).toEqual(Array(3).fill('GET metrics/v1'));
});
