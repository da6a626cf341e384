// @module-tag long
// Jobs through the MCP server: programs that continue without a client.
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {openMcp} from '../support/mcp-client.ts';
import {newHome} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {serve} from './support.ts';

test.skipIf(findJupyter(process.env) === null)('a job is started, read and stopped', async () => {
	await using home = await newHome();
	await using served = await serve(home, ['--engine', 'jupyter']);
	await served.run(['server', 'start', 'welcome', '--wait']);
	const at = {server: 'welcome'};
	await using reader = await openMcp({home, env: served.env});
	expect(await reader.tools()).not.toContain('list_jobs');
	await using mcp = await openMcp({home, env: served.env, args: ['--allow', 'run']});
	const command = ['sh', '-c', 'echo one; echo two; exec sleep 600'];
	expect(await mcp.call('start_job', {...at, command, name: 'long'})).toMatchObject({
		isError: false,
		text: expect.stringMatching(/^long is running on welcome, process \d+\n/),
	});
	expect((await mcp.call('list_jobs', at)).value).toMatchObject({
		jobs: [{name: 'long', command, state: 'running', code: null}],
		left_out: 0,
	});
	await waitFor(async () =>
		expect((await mcp.call('read_job', {...at, name: 'long', lines: 1})).text).toMatch(
			/^long: running; .* follow\.\ntwo\n$/,
		),
	);
	expect((await mcp.call('stop_job', {...at, name: 'long'})).text).toMatch(/^long was cancelled: /);
	expect(await mcp.call('read_job', {...at, name: 'none'})).toMatchObject({
		isError: true,
		text: expect.stringContaining('Its jobs are long'),
	});
});

test('the embedded engine has no jobs', async () => {
	await using home = await newHome();
	await using served = await serve(home, ['--engine', 'embedded']);
	await served.run(['server', 'start', 'welcome', '--wait']);
	await using mcp = await openMcp({home, env: served.env, args: ['--allow', 'run']});
	expect(await mcp.call('start_job', {server: 'welcome', command: ['true']})).toMatchObject({
		isError: true,
		text: expect.stringContaining('it can have no jobs'),
	});
});
