import {expect, test} from 'vitest';
import type {WorkEvent} from '../../src/work/events.ts';
import {cellCount, cellsOf} from '../../src/work/cells.ts';
import type {Task, TaskStep} from '../../src/work/task.ts';

const stepOf = (
	number: number,
	kind: 'run' | 'shell',
	state: TaskStep['state'],
	startedAt: number | null,
): TaskStep => ({
	...{number, state, startedAt, change: null, took: false, isUndone: false, result: null},
	step: {kind, code: `code ${number}\n`},
	seconds: state === 'done' ? 1.5 : null,
});

const end = (number: number, more: Partial<WorkEvent & {type: 'end'}>): WorkEvent => ({
	...{type: 'end', at: 0, number, ok: true, took: false, head: 'ok', text: null},
	...more,
});

test('cells are the steps that were started in the kernel, with their known results', () => {
	const steps: Task['steps'] = [
		stepOf(1, 'run', 'done', 1000),
		stepOf(2, 'shell', 'done', 2000),
		stepOf(3, 'run', 'refused', null),
		stepOf(4, 'run', 'done', 4000),
		stepOf(5, 'run', 'unknown', 5000),
		stepOf(6, 'run', 'skipped', null),
	];
	const picture = {output_type: 'display_data', data: {'image/png': 'iVBO'}, metadata: {}};
	const cells = cellsOf({steps}, [
		end(1, {text: '[image/png]\n', cell: {outputs: [picture], count: 7}}),
		end(2, {text: 'files\n'}),
		end(4, {text: 'what the model read\n'}),
	]);
	expect(cellCount({steps})).toBe(3);
	expect(cells).toEqual([
		{
			kind: 'code',
			source: 'code 1',
			outputs: [picture],
			count: 7,
			metadata: {
				execution: {
					'iopub.execute_input': '1970-01-01T00:00:01.000Z',
					'shell.execute_reply': '1970-01-01T00:00:02.500Z',
				},
			},
		},
		expect.objectContaining({
			source: 'code 4',
			outputs: [{output_type: 'stream', name: 'stdout', text: 'what the model read\n'}],
			count: null,
		}),
		expect.objectContaining({
			source: 'code 5',
			outputs: [],
			metadata: {execution: {'iopub.execute_input': '1970-01-01T00:00:05.000Z'}},
		}),
	]);
});
