// @module-tag long
import {expect, test} from 'vitest';
import {labMissing} from '../../support/lab/lab.ts';
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
