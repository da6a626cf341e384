// @module-tag long
import {expect, test} from 'vitest';
import {labMissing, sharedLab} from '../../support/lab/lab.ts';
import {labService} from '../../support/lab-service.ts';
import {waitFor} from '../../support/wait-for.ts';

test.skipIf(labMissing !== null)('servers that are created at once on a host all start', async () => {
	await using local = await labService('zoe');
	const names = ['lab', 'second', 'third'];
	for (const name of names) {
		const settings = {environment: 'lab-zoe-python3', server_request: 'lab-zoe-cpux0', port: 8888};
		expect(await local.call('POST', '/api/servers', {server_name: name, ...settings})).toMatchObject({
			status: 202,
		});
	}
	for (const name of names)
		await waitFor(async () => expect(await local.state(name)).toBe('ready'), {interval: 50});
	for (const name of names.slice(1)) {
		await local.call('POST', '/local/hosts/stop', {server_name: name});
		await waitFor(async () => expect(await local.state(name)).toBe('offline'), {interval: 50});
	}
});

test.skipIf(labMissing !== null)('two starts of one name at once make one job', async () => {
	await using local = await labService('bob');
	const settings = {environment: 'lab-bob-python3', server_request: 'lab-bob-gpu-cpux0', port: 8888};
	const create = () => local.call('POST', '/api/servers', {server_name: 'lab', ...settings});
	const statuses = (await Promise.all([create(), create()])).map(({status}) => status);
	expect(statuses.sort()).toEqual([202, 409]);
	await waitFor(async () => expect(await local.state('lab')).toBe('ready'), {interval: 50});
	const lab = await sharedLab();
	expect((await lab.as('bob', 'squeue -h -u bob -o %T')).stdout).toBe('RUNNING\n');
	await local.call('POST', '/local/hosts/stop', {server_name: 'lab'});
	await waitFor(async () => expect(await local.state('lab')).toBe('offline'), {interval: 50});
	// Starts a server of this user twice at the same time.
	const start = () => local.call('POST', '/api/servers/lab/start', settings);
	expect((await Promise.all([start(), start()])).map(({status}) => status).sort()).toEqual([200, 409]);
	await waitFor(async () => expect(await local.state('lab')).toBe('ready'), {interval: 50});
	expect((await lab.as('bob', 'squeue -h -u bob -o %T')).stdout).toBe('RUNNING\n');
});
