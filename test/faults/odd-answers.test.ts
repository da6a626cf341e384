import {afterAll, beforeAll, expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {computeOption, json, serverItem, startHostileService, success} from './hostile-service.ts';
import {openWatched, screenOf, textOf} from './watched-screen.ts';

let home: Home;
beforeAll(async () => {
	home = await newHome();
});
afterAll(async () => home[Symbol.asyncDispose]());

test(
	'one entry of fifty that cannot be read costs its own row only, and is reported',
	{tags: 'long'},
	async () => {
		const fifty = <Item>(make: (name: string) => Item) =>
			Array.from({length: 50}, (_, index) =>
				index === 20 ? {title: 17, '\u001B]0;t\u0007': '\u001B[2J'} : make(`n${index}`),
			);
		await using service = await startHostileService({
			servers: () => success({servers: fifty(serverItem)}),
			compute: () => success({compute: fifty(computeOption)}),
			environments: () =>
				success({environments: fifty(name => ({environment_id: name, name, description: name}))}),
		});
		await using screen = await openWatched(service, {rows: 60});
		const {terminal} = screen;
		await screen.shows(' Servers 49 ');
		for (const [name, head] of [
			['servers', ' Servers 49 '],
			['compute', ' Compute 49 '],
			['environments', ' Environments 49'],
		] as const) {
			pressAction(terminal, 'anywhere', name);
			await screen.sees(frame => {
				expect(textOf(frame[1] ?? [])).toContain(head);
				expect(textOf(frame[1] ?? [])).toContain('1 unreadable');
			});
		}
		expect(screen.harm()).toEqual([]);
		for (const name of ['servers', 'compute', 'environments']) {
			const {code, stdout, stderr} = await runHere([name], {home, env: service.env});
			expect({code, lines: stdout.trimEnd().split('\n').length, stderr}).toEqual({
				code: 0,
				lines: 50,
				stderr:
					'One entry of the list could not be read; --json shows the whole list as the service sent it.\n',
			});
		}
	},
);

test('a server of an unknown state without addresses and token is shown, and actions that need it ready give the reason', async () => {
	const bare = {name: 'bare', environment: 'ai', port: 1, server_request: 'x', status: 'hibernating'};
	await using service = await startHostileService({
		servers: () =>
			success({
				servers: [
					bare,
					{
						...bare,
						name: 'nulls',
						url: null,
						token: null,
						thumb: null,
						port_forward_url: null,
						assistant_editor_url: null,
					},
				],
			}),
	});
	await using screen = await openWatched(service, {rows: 24});
	const {terminal} = screen;
	await screen.shows(/▸ bare +· hibernating/);
	await screen.shows(/nulls +· hibernating/);
	pressAction(terminal, 'servers', 'start');
	await screen.shows('╭ Start bare?');
	pressAction(terminal, 'confirm', 'no');
	await terminal.gone('╭ Start bare?');
	for (const name of ['files', 'repl', 'assistant'] as const) {
		pressAction(terminal, 'anywhere', name);
		await screen.shows(/^ {5}bare is hibernating\.$/m);
		expect(screenOf(await screen.frame())).not.toContain('>>>');
	}
	expect(screen.harm()).toEqual([]);
	expect(service.asked.filter(line => !/^GET \/api\/(?:servers|compute|environments)$/.test(line))).toEqual(
		[],
	);
	const {code, stdout} = await runHere(['servers'], {home, env: service.env});
	expect({code, stdout}).toEqual({
		code: 0,
		stdout: expect.stringMatching(/bare +hibernating[^]*nulls +hibernating/),
	});
});

test('a login page in place of the list leaves the rows where they are, and the next good answer takes over', async () => {
	await using service = await startHostileService();
	await using screen = await openWatched(service, {rows: 24});
	const {terminal} = screen;
	await screen.shows(/▸ calm +\S ready/);
	service.answer({servers: () => ({type: 'text/html', body: '<html>Sign in</html>'})});
	pressAction(terminal, 'global', 'refresh');
	await screen.shows(/sent a web page instead of JSON\.[^]*▸ calm +\S ready/);
	service.answer({servers: () => json({status: 'success'})});
	pressAction(terminal, 'global', 'refresh');
	await screen.shows(/sent an unexpected response: servers [^]*▸ calm +\S ready/);
	service.answer({servers: () => success({servers: [serverItem('new')]})});
	pressAction(terminal, 'global', 'refresh');
	await screen.shows(/▸ new +\S ready/);
	expect(screenOf(await screen.frame())).not.toMatch(/ old ─|unexpected|▸ calm/);
});

test('a list without readable entries is not called empty, and its cost is not called zero', async () => {
	await using service = await startHostileService({
		servers: () => success({servers: [{port: 1}]}),
		compute: () => success({compute: [17]}),
		environments: () => success({environments: [[], []]}),
	});
	await using screen = await openWatched(service);
	await screen.shows('Its one entry could not be read: svc-tui servers --json shows it.');
	await screen.shows(/Servers · 1 unreadable ─[^]*\?\/h now {3}1 unknown/);
	expect(screenOf(await screen.frame())).not.toMatch(/no server |No servers/);
	pressAction(screen.terminal, 'servers', 'start');
	await screen.shows('There is no server that could be read');
	pressAction(screen.terminal, 'anywhere', 'compute');
	await screen.shows('Its one entry could not be read: svc-tui compute --json shows it.');
	pressAction(screen.terminal, 'anywhere', 'environments');
	await screen.shows('None of its 2 entries could be read: svc-tui environments --json shows them.');
	pressAction(screen.terminal, 'global', 'quit');
	await screen.terminal.exit;
	expect(screen.lastWords()).toMatch(
		/One entry in the list of .* could not be read; servers may still be running/,
	);
});
