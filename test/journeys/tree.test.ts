import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	executedCell,
	fileEntry,
	json,
	serverItem,
	startHostileService,
	success,
} from '../faults/hostile-service.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {httpPeer} from '../support/peer.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {startWelcome} from './steps.ts';

test('on a service without listings the pane reports it, code lists folders once allowed, and lazily', async () => {
	const ran: string[] = [];
	const entries: Readonly<Record<string, string>> = {
		'"."': '[["b10.txt", false, 7], ["b9.txt", false, 7], ["src", true, null], ["b.txt", false, 7]]',
		'"src"': '[["a.py", false, 12]]',
	};
	await using service = await startHostileService({
		file: ({path}) =>
			path.includes('.')
				? success({content: fileEntry(path, {content: `text of ${path}\n`})})
				: json({message: 'not a file'}, 400),
		run: ({body}) => {
			const {code} = JSON.parse(body) as {readonly code: string};
			ran.push(code);
			const folder = /scandir\(("[^"]*")\)/.exec(code)?.[1] ?? '';
			return success({
				content: executedCell(code, [
					{output_type: 'stream', name: 'stdout', text: `${entries[folder] ?? 'nothing'}\n`},
				]),
			});
		},
	});
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/calm +. ready/);
	pressAction(terminal, 'servers', 'open');
	await terminal.until(/paths known here[^]*This service lists no folders: Space L lists them by code, p/);
	pressAction(terminal, 'tree', 'path');
	await terminal.until('Go to a path');
	terminal.type('deep/in/there.py:1');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/deep\/in\/there\.py ─[^]*▸1 +text of deep\/in\/there\.py/);
	pressAction(terminal, 'viewer', 'tree');
	await terminal.until(/▸ +deep\/in\/ther…[^]*a new file/);
	expect(ran).toEqual([]);

	pressAction(terminal, 'tree', 'listByCode');
	await terminal.until('List the files by code?');
	expect(ran).toEqual([]);
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until(/▹ src[^]*b\.txt[^]*b9\.txt[^]*b10\.txt/);
	expect(ran).toHaveLength(1);
	pressAction(terminal, 'tree', 'first');
	await terminal.until(/▸ ▹ src/);
	pressAction(terminal, 'tree', 'open');
	await terminal.until(/▿ src[^]*a\.py/);
	expect(ran).toHaveLength(2);
	pressAction(terminal, 'tree', 'down');
	await terminal.until(/▸ +a\.py/);
	pressAction(terminal, 'tree', 'open');
	await terminal.until('text of src/a.py');
});

test(
	'on a service without listings the server itself lists folders, if its own address responds',
	{tags: 'long'},
	async () => {
		const entry = (path: string, type: string, content: unknown = null) => ({
			name: path.split('/').at(-1) ?? '',
			path,
			type,
			content,
			format: null,
			size: type === 'file' ? 7 : null,
			last_modified: '2026-11-22T10:00:00.000000Z',
		});
		const folders: Readonly<Record<string, unknown>> = {
			'/s/api/contents': entry('', 'directory', [entry('src', 'directory'), entry('b.txt', 'file')]),
			'/s/api/contents/src': entry('src', 'directory', [entry('src/a.py', 'file')]),
			'/s/api/status': {started: '2026-11-22T10:00:00Z', kernels: 0},
		};
		await using peer = await httpPeer((response, {url = ''}) => {
			const found = folders[url.split('?')[0] ?? ''];
			response.writeHead(found === undefined ? 404 : 200, {'content-type': 'application/json'});
			response.end(JSON.stringify(found ?? {message: 'no such file'}));
		});
		await using service = await startHostileService({
			servers: () => success({servers: [serverItem('calm', {url: `${peer.url}/s/`, token: 'its-token'})]}),
			file: () => json({message: 'not a file'}, 404),
		});
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until(/calm +. ready/);
		pressAction(terminal, 'servers', 'open');
		await terminal.until(/listed by the server itself[^]*▸ ▹ src[^]*b\.txt/);
		pressAction(terminal, 'tree', 'open');
		await terminal.until(/▿ src[^\n]*\n[^\n]*a\.py/);
		pressAction(terminal, 'tree', 'listByCode');
		await terminal.until('The server lists the files itself');
		expect(service.asked.filter(asked => asked.includes('run-code'))).toEqual([]);
	},
);

test(
	'a folder with more files than the limit of the listing shows that there are more',
	{tags: 'long'},
	async () => {
		const many = JSON.stringify(Array.from({length: 5000}, (_, at) => [`file-${at}.txt`, false, 1]));
		await using service = await startHostileService({
			file: () => json({message: 'not a file'}, 400),
			run: ({body}) => {
				const {code} = JSON.parse(body) as {readonly code: string};
				return success({
					content: executedCell(code, [
						{
							output_type: 'stream',
							name: 'stdout',
							text: `${code.includes('scandir(".")') ? '[["deep", true, null]]' : many}\n`,
						},
					]),
				});
			},
		});
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until(/calm +. ready/);
		pressAction(terminal, 'servers', 'open');
		await terminal.until('This service lists no folders');
		pressAction(terminal, 'tree', 'listByCode');
		await terminal.until('List the files by code?');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(/listed by code on the server[^]*▸ ▹ deep/);
		pressAction(terminal, 'tree', 'open');
		await terminal.until(/▿ deep +the first 5,000 only[^]*file-0\.txt[^]*file-2\.txt[^]*file-10\.txt/);
	},
);

test(
	'the code that lists files runs on a real server, with any names, and leaves no variable behind',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await startWelcome(terminal);
		const folder = serverFolder(serviceFolder(home));
		mkdirSync(join(folder, 'it\'s "odd" 日本'));
		writeFileSync(join(folder, 'it\'s "odd" 日本/x.txt'), '12345');
		const {listedEntries, listingCode} = await import('../../src/tui/files/tree/list-by-code.ts');
		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until('>>>');
		terminal.paste(
			`before = set(dir())\n${listingCode('it\'s "odd" 日本')}\nset(dir()) - before - {"before"}`,
		);
		await terminal.until('- {"before"}');
		pressAction(terminal, 'repl', 'run');
		const screen = await terminal.until(/\[1\] [^]*→ +set\(\)/);
		const printed =
			/^ *│? *(\[\["x\.txt".*\]\])/m.exec(screen)?.[1] ?? /(\[\["x\.txt"[^\n]*?\]\])/.exec(screen)?.[1] ?? '';
		expect(
			listedEntries(
				{
					cell_type: 'code',
					execution_count: 1,
					metadata: {},
					source: '',
					outputs: [{output_type: 'stream', name: 'stdout', text: `${printed}\n`}],
				},
				'odd',
			),
		).toEqual([{name: 'x.txt', path: 'odd/x.txt', isFolder: false, size: 5, modified: null}]);
	},
);

test('the tree is filtered, hidden names are toggled, and a path is reached by a part of it', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	const folder = serverFolder(serviceFolder(home));
	writeFileSync(join(folder, '.secret'), 'hidden');
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	expect(terminal.screen()).not.toContain('.secret');
	pressAction(terminal, 'tree', 'hidden');
	await terminal.until('.secret');
	pressAction(terminal, 'tree', 'hidden');
	await terminal.gone('.secret');
	pressAction(terminal, 'tree', 'first');
	pressAction(terminal, 'tree', 'down');
	await terminal.until(/▸ ▹ src/);
	pressAction(terminal, 'tree', 'open');
	await terminal.until('prices.py');
	pressAction(terminal, 'tree', 'filter');
	await terminal.until('close the filter');
	terminal.type('prices');
	await terminal.until(/prices\.ipynb[^]*src\/prices\.py/);
	await terminal.gone('README.md');
	pressAction(terminal, 'filter', 'accept');
	await terminal.until('/ prices');
	pressAction(terminal, 'tree', 'showAll');
	await terminal.until('README.md');
	pressAction(terminal, 'tree', 'path');
	await terminal.until('Go to a path');
	terminal.type('srpri:5');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/src\/prices\.py ─[^]*▸ 5$/m);
});

test(
	'marked lines are sent to the chat, the REPL and the clipboard as they are in the file',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 160});
		await startWelcome(terminal);
		const folder = serverFolder(serviceFolder(home));
		writeFileSync(
			join(folder, 'a.py'),
			'def f():\n    x = 20\n    y = x + 2\n    print("twenty", y)\n    return y\n',
		);
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until('a.py');
		pressAction(terminal, 'global', 'commandLine');
		terminal.type('file a.py:2');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(/▸2 +x = 20/);
		pressAction(terminal, 'viewer', 'mark');
		await terminal.until('clear the marks');
		pressAction(terminal, 'marks', 'down');
		pressAction(terminal, 'marks', 'down');
		await terminal.until(/▌4 /);
		pressAction(terminal, 'marks', 'attach');
		await terminal.until(/a\.py#L2-4 is attached to the next question/);
		pressAction(terminal, 'assistant', 'leave');
		await terminal.until(/▌4 [^]*clear the marks/);
		pressAction(terminal, 'marks', 'copy');
		await terminal.until('Lines 2-4 was sent');
		expect(Buffer.from(terminal.events.clipboard.at(-1)?.slice(2) ?? '', 'base64').toString()).toBe(
			'    x = 20\n    y = x + 2\n    print("twenty", y)\n',
		);
		pressAction(terminal, 'viewer', 'mark');
		await terminal.until('clear the marks');
		pressAction(terminal, 'marks', 'down');
		pressAction(terminal, 'marks', 'down');
		await terminal.until(/▌4 /);
		pressAction(terminal, 'marks', 'run');
		await terminal.until(/twenty 22/);
	},
);
