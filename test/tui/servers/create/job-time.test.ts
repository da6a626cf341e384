import {expect, test} from 'vitest';
import type {ComputeOption} from '../../../../src/contract/compute.ts';
import {formErrors} from '../../../../src/tui/servers/create/errors.ts';
import {fieldsOf, newForm, requestOf} from '../../../../src/tui/servers/create/form.ts';

const option = (id: string, more: Readonly<Record<string, unknown>>): ComputeOption => ({
	name: id,
	cloud_host: 'lab',
	compute_id: id,
	cpus: 2,
	memory: '4G',
	num_gpus: 0,
	vram_per_gpu: '0G',
	total_vram: '0G',
	hourly_price: 0,
	availability: [{available: true, region: 'default'}],
	...more,
});
const compute = [
	option('lab-spot-cpux0', {partition: 'spot', job_limit: 240}),
	option('lab-long-cpux0', {partition: 'long', job_limit: null}),
	option('lab-cpux0', {}),
];
const known = {servers: [], environments: undefined, compute, isLocal: true};
const form = (id: string, time = '') => newForm({name: 'one', compute: id, time});

test('only an option of a partition has a time limit in the form', () => {
	expect(fieldsOf(form('lab-spot-cpux0'), compute)).toEqual([
		'name',
		'environment',
		'compute',
		'time',
		'port',
	]);
	expect(fieldsOf(form('lab-cpux0'), compute)).toEqual(['name', 'environment', 'compute', 'port']);
});

test('a time limit beyond that of the partition is refused before anything is sent', () => {
	expect(formErrors(form('lab-spot-cpux0', '8h'), known)).toEqual({
		time: '8 h is more than spot allows (4 h): the job would wait for ever. Set "time" to 4h or less.',
	});
	expect(formErrors(form('lab-spot-cpux0', 'soon'), known)).toEqual({
		time: 'A time limit is a duration such as 30m, 8h or 2d, or empty',
	});
	for (const time of ['', '4h', '30m']) expect(formErrors(form('lab-spot-cpux0', time), known)).toEqual({});
	expect(formErrors(form('lab-long-cpux0', '9d'), known)).toEqual({});
});

test('the request holds the time limit of a job, and none for another option', () => {
	expect(requestOf(form('lab-spot-cpux0', '2h'), compute)).toMatchObject({time_limit: '2h'});
	expect(requestOf(form('lab-spot-cpux0'), compute)).not.toHaveProperty('time_limit');
	expect(requestOf(form('lab-cpux0', '2h'), compute)).not.toHaveProperty('time_limit');
});
