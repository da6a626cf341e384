import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serverItem, startHostileService, success, type Answer} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';

const listed = (...names: readonly string[]): Answer =>
	success({
		servers: names.map(name =>
			serverItem(name, {
				status: 'offline',
				token: 'token-of-the-server',
				url: 'https://lab.example/?token=token-of-the-server',
			}),
		),
	});

test(
	"the last known list is in the first frame with its age; keys act on the service's new list",
	{tags: 'long'},
	async () => {
		await using service = await startHostileService({servers: () => listed('alpha', 'beta')});
		await using home = await newHome();
		{
			await using terminal = await openProgram({home, env: service.env});
			await terminal.until(/▸ alpha/);
			pressAction(terminal, 'servers', 'down');
			await terminal.until(/▸ beta/);
			terminal.kill('SIGTERM');
			await terminal.exit;
		}
		const folder = join(home.env['XDG_STATE_HOME'] ?? '', 'svc-tui/lists');
		const [file = ''] = readdirSync(folder);
		expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
		expect(readFileSync(join(folder, file), 'utf8')).not.toContain('token');
		const list = Promise.withResolvers<Answer>();
		service.answer({servers: () => list.promise});
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until(
			/Servers 2 ─+ (?:row 2\/2 · )?\d+ (?:s|min|h) old[^]*alpha[^]*▸ beta[^]*These rows are from then/,
		);
		pressAction(terminal, 'servers', 'start');
		await terminal.until('Waiting for the list of servers');
		expect(terminal.screen()).not.toContain('Start beta?');
		list.resolve(listed('new', 'alpha', 'beta'));
		await terminal.until('Start beta?');
	},
);

test(
	'a key for a server that is no longer listed is not carried out on another one, and an old list is acted on by none',
	{tags: 'long'},
	async () => {
		await using service = await startHostileService({servers: () => listed('alpha')});
		await using home = await newHome();
		{
			await using terminal = await openProgram({home, env: service.env});
			await terminal.until(/▸ alpha/);
			terminal.kill('SIGTERM');
			await terminal.exit;
		}
		const list = Promise.withResolvers<Answer>();
		service.answer({servers: () => list.promise});
		{
			await using terminal = await openProgram({home, env: service.env});
			await terminal.until(/▸ alpha[^]*These rows are from then/);
			pressAction(terminal, 'servers', 'start');
			await terminal.until('Waiting for the list of servers');
			list.resolve(listed('other'));
			await terminal.until('A key was discarded: alpha is no longer in the list');
			expect(terminal.screen()).not.toContain('Start other?');
			service.answer({servers: () => ({status: 500, body: '{}'})});
			terminal.kill('SIGTERM');
			await terminal.exit;
		}
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until(/ old ─[^]*failed \(500\)[^]*▸ other/);
		pressAction(terminal, 'servers', 'start');
		await terminal.until('The list of servers has not loaded yet');
	},
);
