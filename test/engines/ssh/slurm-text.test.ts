import {expect, test} from 'vitest';
import {parseGres, vramOfType} from '../../../src/engines/ssh/slurm-gres.ts';
import {parseSlurmDuration, parseSlurmTime} from '../../../src/engines/ssh/slurm-time.ts';
import {limitText} from '../../../src/text/job-time.ts';

test.each([
	['gpu:a100:2', [{type: 'a100', count: 2}]],
	['gpu:a100:2(S:0-1)', [{type: 'a100', count: 2}]],
	['gpu:a100:0(IDX:N/A)', [{type: 'a100', count: 0}]],
	[
		'gpu:a100:2(IDX:0,3),gpu:v100:1(IDX:2)',
		[
			{type: 'a100', count: 2},
			{type: 'v100', count: 1},
		],
	],
	['gpu:a100:4(S:0),gpu:a100:4(S:1)', [{type: 'a100', count: 8}]],
	['gpu:8', [{type: 'gpu', count: 8}]],
	['gpu', [{type: 'gpu', count: 1}]],
	['gpu:h100', [{type: 'h100', count: 1}]],
	['gpu:no_consume:2', [{type: 'gpu', count: 2}]],
	['lustre:no_consume:4G,gpu:1g.10gb:7,mps:200,shard:a100:8', [{type: '1g.10gb', count: 7}]],
	[
		'cpu=4,mem=8G,gres/gpu:a100=2,gres/gpu=2',
		[
			{type: 'a100', count: 2},
			{type: 'gpu', count: 2},
		],
	],
	['gres:gpu:a100:1', [{type: 'a100', count: 1}]],
	['(null)', []],
	['N/A', []],
	['', []],
	['gpu:a\u001B[31m:2', []],
	['gpu:a100:2(S:0-', [{type: 'a100', count: 2}]],
])('the GPUs of %j', (text, gpus) => {
	expect(parseGres(text)).toEqual(gpus);
});

test.each([
	['a100_80g', 80],
	['a100-sxm4-40gb', 40],
	['3g.20gb', 20],
	['V100.16GiB', 16],
	['a100', null],
	['gpu', null],
	['rtx_4090', null],
])('the type %s tells its memory', (type, vram) => {
	expect(vramOfType(type)).toBe(vram);
});

test.each([
	['infinite', Infinity],
	['UNLIMITED', Infinity],
	['1-02:00:00', 1560],
	['2-12', 3600],
	['7-00:30', 10_110],
	['4:00:00', 240],
	['10:30', 10.5],
	['30', 30],
	['NOT_SET', null],
	['n/a', null],
	['', null],
	['-5', null],
	['1:2:3:4', null],
])('the duration %s in minutes', (text, minutes) => {
	expect(parseSlurmDuration(text)).toBe(minutes);
});

test('times are seconds since the epoch, or a date in UTC', () => {
	expect(parseSlurmTime('1795766456')).toBe(1_795_766_456_000);
	expect(parseSlurmTime('2026-11-27T08:10:57')).toBe(Date.UTC(2026, 10, 27, 8, 10, 57));
	for (const text of ['N/A', 'Unknown', 'None', '', '0', '99999999999', '2026-13-99T99:99:99', '\u001B[2J'])
		expect(parseSlurmTime(text), text).toBeNull();
});

test('limits as text', () => {
	expect([0.2, 30, 60, 90, 480, 2880, 1560].map(limitText)).toEqual([
		'1 min',
		'30 min',
		'1 h',
		'1 h 30 min',
		'8 h',
		'2 d',
		'1 d 2 h',
	]);
});
