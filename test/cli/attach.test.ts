// @module-tag long
// `attach` and `detach` as a user types them. The address is piped in or asked for, never an
// argument.
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {jupyterMissing, jupyterServer} from '../support/jupyter-server.ts';
import {newHome, runCommand} from '../support/program.ts';
import {onTerminal} from './support.ts';

const TOKEN = 'canary-of-attach-77fe';

test('an address in an argument is refused with a word on how it is given, and is not repeated', async () => {
	await using home = await newHome();
	const address = `http://127.0.0.1:8888/?token=${TOKEN}`;
	for (const args of [[address], [`--token=${TOKEN}`], ['--url', address], ['--name', address]]) {
		const {code, stdout, stderr} = await runCommand(['attach', ...args], {home});
		expect([code, stdout]).toEqual([2, '']);
		expect(stderr).not.toContain(TOKEN);
		if (args[0] !== '--name')
			expect(stderr).toBe(
				'Do not pass the address as an argument: other users of this machine could read its token.\nEnter it when svc-tui attach asks for it, or pipe it in: jupyter server list prints it; svc-tui attach < FILE reads it from a file.\n',
			);
	}
	expect(await runCommand(['attach'], {home})).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/^No address was typed or piped in\./),
	});
	// The command did not even start a service.
	expect(await readdir(join(home.folder, '.local')).catch(() => [])).toEqual([]);
});

test.skipIf(jupyterMissing)(
	'a running Jupyter Server is attached, used like any other, and taken out again',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using jupyter = await jupyterServer({token: TOKEN});
		const {host} = new URL(jupyter.url);
		const {code, text} = await onTerminal(['attach', '--name', 'node17'], {
			home,
			type: {after: /\(not shown\): /, text: `${jupyter.url}lab?token=${TOKEN}\r`},
		});
		expect([code, text]).toEqual([
			0,
			expect.stringMatching(
				/^Address of the Jupyter Server, with its token \(not shown\): \*+\nnode17 is attached: the Jupyter Server at \S+\. svc-tui detach node17 removes it from your list\.\n$/,
			),
		]);
		expect(await runCommand(['run', 'node17', '-c', 'kept = 41'], {home})).toMatchObject({
			code: 0,
			stderr: '',
		});
		expect(await runCommand(['run', 'node17', '-c', 'kept + 1'], {home})).toMatchObject({stdout: '42\n'});
		expect((await runCommand(['servers'], {home})).stdout).toMatch(
			new RegExp(`^node17 +ready +\\? +\\? +\\? +${host.split(':')[1]}$`, 'm'),
		);
		expect(await runCommand(['attach'], {home, input: `${jupyter.url}\nwrong-token\n`})).toMatchObject({
			code: 1,
			stderr: `${host} rejected this token. A restarted server has a new one; run jupyter server list.\n`,
		});
		expect(await runCommand(['detach', 'node17'], {home})).toMatchObject({
			code: 0,
			stdout: 'node17 was detached. The Jupyter Server keeps running.\n',
		});
		expect(await runCommand(['detach', 'node17'], {home})).toMatchObject({code: 3});
		expect(await jupyter.status('api/status')).toBe(200);
	},
);
