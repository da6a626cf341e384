import {expect, test} from 'vitest';
import {fittingEnvironment} from '../../../../src/tui/servers/create/host-environment.ts';

const option = (compute_id: string, host?: string) => ({
	...{name: compute_id, cloud_host: 'x', compute_id, cpus: 1, memory: '1G', num_gpus: 0},
	...{vram_per_gpu: '0G', total_vram: '0G', hourly_price: 0, availability: [], ...(host && {host})},
});
const environment = (environment_id: string, host?: string) => ({
	...{environment_id, name: environment_id, description: '', ...(host && {host})},
});
const known = {
	compute: [option('svc-medium'), option('lab-cpux0', 'lab'), option('other-cpux0', 'other')],
	environments: [environment('ai'), environment('lab-ml', 'lab'), environment('lab-python3', 'lab')],
};

test('an option of a host gets an environment of that host, and keeps one that fits', () => {
	expect(fittingEnvironment('ai', 'lab-cpux0', known)).toBe('lab-ml');
	expect(fittingEnvironment('lab-python3', 'lab-cpux0', known)).toBe('lab-python3');
	expect(fittingEnvironment('lab-python3', 'svc-medium', known)).toBe('ai');
	expect(fittingEnvironment('ai', 'svc-medium', known)).toBe('ai');
});

test('what is not known changes nothing', () => {
	expect(fittingEnvironment('ai', 'lab-cpux0', {compute: undefined, environments: undefined})).toBe('ai');
	expect(fittingEnvironment('ai', 'lab-cpux0', {...known, environments: undefined})).toBe('ai');
	expect(fittingEnvironment('ai', 'other-cpux0', known)).toBe('ai');
	expect(fittingEnvironment('unlisted', 'svc-medium', known)).toBe('unlisted');
});
