import {expect, test} from 'vitest';
import {json, serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';

test('the evidence of an error opens from the list, from the form and from the calls, and is copied as curl without the key', async () => {
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('calm', {token: 'token-0123456789'})]}),
		environments: () => json({errors: ['no table', 'token-0123456789']}, 500),
		create: () => ({status: 402, type: 'text/plain', body: 'add a card first; see token-0123456789'}),
	});
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env, columns: 120, rows: 40});
	let sent = '';
	terminal.onOutput(chunk => {
		sent += chunk;
	});
	await terminal.until(/calm +. ready/);
	pressAction(terminal, 'global', 'environments');
	await terminal.until(/failed \(500\)[^]*! call and answer/);
	pressAction(terminal, 'global', 'evidence');
	await terminal.until(/GET \/api\/environments +500[^]*"no table"[^]*curl 'http:/);
	pressAction(terminal, 'evidence', 'copy');
	await terminal.until(/The curl command/);
	expect(Buffer.from(/\u001B\]52;c;([^\u0007]*)/.exec(sent)?.[1] ?? '', 'base64').toString()).toBe(
		`curl '${service.baseUrl}/api/environments' -H "apiKey: $SVC_API_KEY"`,
	);
	pressAction(terminal, 'evidence', 'close');
	await terminal.gone('Request and response');

	pressAction(terminal, 'global', 'servers');
	await terminal.until(/calm +. ready/);
	pressAction(terminal, 'servers', 'duplicate');
	await terminal.until(/Rent a server like calm[^]*Name +calm-2[^]*y Rent/);
	pressAction(terminal, 'review', 'rent');
	await terminal.until(/add a card first[^]*shows the response/);
	pressAction(terminal, 'always', 'evidence');
	await terminal.until(/POST \/api\/servers +402[^]*add a card first/);
	pressAction(terminal, 'evidence', 'close');
	// The dialog may leave the page below it visible.
	await terminal.gone('Request and response');
	await terminal.until(/y Rent/);
	pressAction(terminal, 'review', 'cancel');
	await terminal.gone('Rent a server like calm');

	pressAction(terminal, 'anywhere', 'requests');
	await terminal.until(/✗ {2}POST +\/api\/servers +402[^]*✓ {2}GET +\/api\/servers .*200/);
	expect(sent).not.toContain('token-0123456789');
});
