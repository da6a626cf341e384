import {expect, test} from 'vitest';
import type {ScriptLines} from '../../../src/engines/ssh/script.ts';
import {jobOptions} from '../../../src/engines/ssh/slurm-options.ts';
import {partitionQuery, readSlurm} from '../../../src/engines/ssh/slurm-partitions.ts';
import {sbatchWords} from '../../../src/engines/ssh/slurm-request.ts';
import {clockTime} from '../../../src/text/clock.ts';
import {jobTimeProblem} from '../../../src/text/job-time.ts';

// Lines as `sinfo` of Slurm 22.05 printed them, with the blanks of each column removed.
const NODES = [
	'gpu*|up|1:00:00|00:10:00|2|mixed|64|512000|100/28/0/128|gpu:a100:4(S:0-1)|gpu:a100:4(IDX:0-3)|none',
	'gpu*|up|1:00:00|00:10:00|1|mixed|64|512000|10/54/0/64|gpu:a100:4(S:0-1)|gpu:a100:1(IDX:2)|none',
	'gpu*|up|1:00:00|00:10:00|1|drained|64|512000|0/0/64/64|gpu:a100:4(S:0-1)|gpu:a100:0(IDX:N/A)|bad | fan',
	'gpu*|up|1:00:00|00:10:00|1|idle|32|256000|0/32/0/32|gpu:v100_32g:2|gpu:v100_32g:0(IDX:N/A)|none',
	'old|down|infinite|n/a|3|idle|16|64000|0/48/0/48|gpu:2|gpu:0|none',
	'broken|up|2-00:00:00|n/a|2|down*|16|64000|0/0/32/32|(null)|(null)|Not responding',
	'cpu|up|2-00:00:00|n/a|100|allocated|128|1|12800/0/0/12800|(null)|(null)|none',
] as const;

const SEEN = Date.UTC(2026, 10, 27, 12, 4);
const seen = ` Seen at ${clockTime(SEEN)}.`;

const lines = (nodes: readonly string[], ...more: ScriptLines): ScriptLines => [
	['slurm', 'slurm-wlm 22.05.8'],
	...nodes.map(line => ['nodes', line] as const),
	...more,
];

const options = (found: ScriptLines, only?: readonly string[]) =>
	jobOptions('lab', readSlurm(found, SEEN)!, {only, away: null});

test('partitions become options: types, numbers, shares, what is free and what never is', () => {
	const soon = Date.UTC(2026, 10, 27, 14, 20);
	const found = lines(
		NODES,
		['queue_known', 'yes'],
		['waiting', `gpu|${soon / 1000}`],
		['waiting', 'gpu,old|N/A'],
	);
	const shown = options(found).map(({id, option}) => [
		id,
		option.cloud_host,
		`${option.cpus} ${option.memory} ${option.num_gpus}x${option.vram_per_gpu}`,
		option['vram_known'] ?? true,
		option.availability[0]?.available,
		option['note'],
	]);
	const gpu = (text: string) =>
		`${text} free, 2 jobs wait, the first until about ${clockTime(soon)}. A job runs for at most 1 h.${seen}`;
	expect(shown).toEqual([
		['lab-gpu-a100x1', 'lab-gpu', '16 125G 1x0G', false, true, gpu('3 of 12 GPUs')],
		['lab-gpu-a100x2', 'lab-gpu', '32 250G 2x0G', false, true, gpu('3 of 12 GPUs')],
		['lab-gpu-a100x4', 'lab-gpu', '64 500G 4x0G', false, true, gpu('3 of 12 GPUs')],
		['lab-gpu-v100_32gx1', 'lab-gpu', '16 125G 1x32G', true, true, gpu('2 of 2 GPUs')],
		['lab-gpu-v100_32gx2', 'lab-gpu', '32 250G 2x32G', true, true, gpu('2 of 2 GPUs')],
		['lab-gpu-cpux0', 'lab-gpu', '16 125G 0x0G', true, true, gpu('114 of 224 CPUs')],
		['lab-old-gpux1', 'lab-old', '8 31G 1x0G', false, false, `The partition old is down.${seen}`],
		['lab-old-gpux2', 'lab-old', '16 62G 2x0G', false, false, `The partition old is down.${seen}`],
		['lab-old-cpux0', 'lab-old', '4 15G 0x0G', true, false, `The partition old is down.${seen}`],
		[
			'lab-broken-cpux0',
			'lab-broken',
			'4 15G 0x0G',
			true,
			false,
			`All nodes of broken are down or drained (Not responding).${seen}`,
		],
		// A site that has not configured the memory of its nodes.
		[
			'lab-cpu-cpux0',
			'lab-cpu',
			'32 0G 0x0G',
			true,
			true,
			`0 of 12800 CPUs free. A job runs for at most 2 d.${seen}`,
		],
	]);
	expect(options(found, ['cpu']).map(({id}) => id)).toEqual(['lab-cpu-cpux0']);
});

test('an unknown queue is not an empty one, and an error of sinfo is kept', () => {
	const [a100] = options(lines(NODES));
	expect(a100?.option['note']).toBe(`3 of 12 GPUs free. A job runs for at most 1 h.${seen}`);
	expect(readSlurm([])).toBeNull();
	expect(
		readSlurm(
			[
				['slurm', 'slurm 20.11.9'],
				['slurm_error', 'Unable to contact \u001B[31mcontroller'],
			],
			SEEN,
		),
	).toEqual({version: 'slurm 20.11.9', at: SEEN, error: 'Unable to contact controller', partitions: []});
});

test('hostile and cut lines add nothing', () => {
	const cut = 'gpu:a100:4(S:0-1),'.repeat(20).slice(0, 200);
	const found = lines([
		'',
		'gpu',
		'$(reboot)|up|1:00:00|n/a|1|idle|8|16000|0/8/0/8|gpu:2|gpu:0|none',
		'a b|up|1:00:00|n/a|1|idle|8|16000|0/8/0/8|gpu:2|gpu:0|none',
		'ok|up|1:00:00|n/a|x|idle|8|16000|0/8/0/8|gpu:2|gpu:0|none',
		`long|up|n/a|n/a|1|idle|8|16000|0/8/0/8|${cut}|gpu:0|none`,
		'big|up|99999999999999999999|n/a|1|idle|8|16000+|0/8/0/8|gpu:999999999:2|gpu:0|\u001B]0;title\u0007',
	]);
	expect(
		readSlurm(found)?.partitions.map(({name, limit, kinds}) => [name, limit, kinds.map(kind => kind.gpus)]),
	).toEqual([
		['long', null, [44, 0]],
		['big', null, [2, 0]],
	]);
});

test('the columns of sinfo and their places agree', () => {
	const {sinfo_columns: columns = '', sinfo_ranges: ranges = ''} = partitionQuery();
	const widths = String(columns)
		.split(',')
		.map(column => Number(column.split(':')[1]));
	const places = String(ranges)
		.split(',')
		.map(range => range.split('-').map(Number));
	expect(places.map(([from = 0, to = 0]) => to - from + 1)).toEqual(widths);
});

test('a request becomes words for sbatch, and a time beyond the limit is refused before', () => {
	const job = {partition: 'gpu', gpu: {type: 'a100', count: 2}, cpus: 8, memory: 64, limit: 240};
	expect(sbatchWords(job, {})).toBe(
		"'--partition=gpu' '--gres=gpu:a100:2' '--cpus-per-task=8' '--mem=64G' '--no-requeue'",
	);
	const settings = {
		time: 480,
		account: "a'b",
		qos: 'normal',
		requeue: true,
		options: ['--constraint=nvlink'],
	};
	expect(sbatchWords({...job, gpu: {type: 'gpu', count: 1}, memory: 0}, settings)).toBe(
		`'--partition=gpu' '--gres=gpu:1' '--cpus-per-task=8' '--time=480' '--account=a'\\''b' '--qos=normal' '--requeue' '--constraint=nvlink'`,
	);
	expect(jobTimeProblem('gpu', job.limit, 480)).toBe(
		'8 h is more than gpu allows (4 h): the job would wait for ever. Set "time" to 4h or less.',
	);
	expect([
		jobTimeProblem('gpu', job.limit, 240),
		jobTimeProblem('gpu', job.limit, undefined),
		jobTimeProblem('gpu', null, 9999),
	]).toEqual([null, null, null]);
});
