import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startHostileService, stream, type Answer} from '../faults/hostile-service.ts';
import {runHere} from './run-in-process.ts';

/**
 * Numbers that JavaScript would change, in fields of the API and in others that only this service
 * has.
 */
const ODD = '"x_id":9007199254740993,"x_price":1.0,"x_far":1e400,"x_list":[{"n":0.10},-0]';
const answer = (fields: string): Answer => ({body: `{"status":"success",${fields}}`});
const server = `{"name":"s","status":"ready","port":9007199254740993,"hourly_rate":2.50,${ODD}}`;
const option = `{"name":"o","compute_id":"o","hourly_price":1.50,"cpus":4.0,"num_gpus":0,${ODD}}`;
const entry = `{"name":"a","path":"a","type":"file","format":"text","content":"x","size":1.0,${ODD}}`;
const cell = `{"cell_type":"code","execution_count":9007199254740993,"source":"1","outputs":[{"output_type":"stream","name":"stdout","text":"1",${ODD}}]}`;

test('--json prints each number as the service wrote it, in every command', async () => {
	await using service = await startHostileService({
		servers: () => answer(`"servers":[${server}]`),
		compute: () => answer(`"compute":[${option}]`),
		environments: () => answer(`"environments":[{"environment_id":"ai","name":"ai",${ODD}}]`),
		create: () => answer(`"server_name":"s","hourly_rate":2.50,${ODD}`),
		start: () => answer(`"server_name":"s","hourly_rate":2.50,${ODD}`),
		file: () => answer(`"content":${entry}`),
		upload: () => answer(`"content":${entry}`),
		run: () => answer(`"content":${cell}`),
		chat: () =>
			stream(
				'0:"Yes."',
				'd:{"finishReason":"stop","usage":{"promptTokens":9007199254740993,"completionTokens":2.0}}',
			),
	});
	const folder = await mkdtemp(join(tmpdir(), 'svc-tui-exact-'));
	try {
		const local = join(folder, 'a');
		await writeFile(local, 'x');
		const commands: readonly (readonly [args: readonly string[], also: readonly string[]])[] = [
			[['servers'], ['"port":9007199254740993', '"hourly_rate":2.50']],
			[
				['server', 'wait', 's'],
				['"port":9007199254740993', '"hourly_rate":2.50'],
			],
			[['compute'], ['"hourly_price":1.50', '"cpus":4.0']],
			[
				['compute', '--sort', 'price'],
				['"hourly_price":1.50', '"cpus":4.0'],
			],
			[['environments'], []],
			[['server', 'create', 's', '--environment', 'ai', '--compute', 'o'], ['"hourly_rate":2.50']],
			[['server', 'start', 's'], ['"hourly_rate":2.50']],
			[['files', 'list', 's', 'a'], ['"size":1.0']],
			[['files', 'get', 's', 'a'], ['"size":1.0']],
			[['files', 'put', 's', local, 'a'], ['"size":1.0']],
			[['run', 's', '-c', '1'], ['"execution_count":9007199254740993']],
			[['api', 'GET', '/api/servers'], ['"port":9007199254740993']],
		];
		for (const [args, also] of commands) {
			const {code, stdout, stderr} = await runHere([...args, '--json'], {
				baseUrl: service.baseUrl,
				apiKey: 'key',
			});
			const said = `${args.join(' ')}: ${stdout} ${stderr}`;
			expect(code, said).toBe(0);
			// The texts in the data contain no blanks, so only blanks between tokens are removed.
			const plain = stdout.replaceAll(/\s/g, '');
			for (const part of [ODD, ...also]) expect(plain, said).toContain(part);
		}
		const {stdout} = await runHere(['chat', 's', 'Well?', '--json'], {
			baseUrl: service.baseUrl,
			apiKey: 'key',
		});
		expect(stdout.replaceAll(/\s/g, '')).toContain(
			'"usage":{"promptTokens":9007199254740993,"completionTokens":2.0}',
		);
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
});

test('NaN and Infinity, which services in Python send, lose nothing of the answer around them', async () => {
	await using service = await startHostileService({
		servers: () => answer(`"servers":[${server}]`),
		compute: () =>
			answer(
				'"compute":[{"name":"NaN, by name","compute_id":"o","num_gpus":0,"hourly_price":NaN},{"name":"p","compute_id":"p","num_gpus":0,"hourly_price":Infinity}]',
			),
		run: () =>
			answer(
				'"content":{"cell_type":"code","source":"1","outputs":[{"output_type":"display_data","data":{"application/json":{"loss":NaN,"x":9007199254740993},"text/plain":"loss"}}]}',
			),
	});
	const ask = async (...args: readonly string[]) => {
		const {code, stdout, stderr} = await runHere(args, {baseUrl: service.baseUrl, apiKey: 'key'});
		expect(code, `${stdout} ${stderr}`).toBe(0);
		return stdout;
	};
	const [, first = '', second = ''] = (await ask('compute')).split('\n');
	expect(first).toMatch(/^o +NaN, by name .* \? /);
	expect(second).toMatch(/^p +p .* \? /);
	expect(JSON.parse(await ask('compute', '--json'))).toMatchObject([
		{name: 'NaN, by name', hourly_price: null},
		{hourly_price: Infinity},
	]);
	expect((await ask('run', 's', '-c', '1', '--json')).replaceAll(/\s/g, '')).toContain(
		'{"loss":null,"x":9007199254740993}',
	);
});
