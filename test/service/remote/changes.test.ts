// @module-tag long
import {expect, test} from 'vitest';
import {takeLease} from '../../../src/launch/lease.ts';
import {labMissing} from '../../support/lab/lab.ts';
import {labService} from '../../support/lab-service.ts';
import {waitFor} from '../../support/wait-for.ts';

test.skipIf(labMissing !== null)('a lease reports each new state of a server on a host', async () => {
	await using local = await labService('finn');
	const seen: unknown[] = [];
	const look = async () => {
		const state = await local.state('lab');
		if (state !== seen.at(-1)) seen.push(state);
	};
	const lease = await takeLease({
		url: local.service.url,
		apiKey: local.key,
		timeout: 10_000,
		onChange: () => void look(),
	});
	if (lease.status !== 'held') throw new Error(lease.status);
	const settings = {environment: 'lab-finn-python3', server_request: 'lab-finn-cpux0', port: 8888};
	await local.call('POST', '/api/servers', {server_name: 'lab', ...settings});
	await waitFor(() => expect(seen.at(-1)).toBe('ready'));
	await local.call('POST', '/local/hosts/stop', {server_name: 'lab'});
	await waitFor(() => expect(seen.slice(-2)).toEqual(['stopping', 'offline']));
	// The server is started again because the fixture, at its end, stops a running server. The
	// lease keeps the service running until then.
	expect(await local.call('POST', '/api/servers/lab/start', settings)).toMatchObject({status: 200});
});
