import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {executedCell} from '../../src/contract/cells.ts';
import {computeStrict, computeOption} from '../../src/contract/compute.ts';
import {environment} from '../../src/contract/environments.ts';
import {fileEntry} from '../../src/contract/files.ts';
import {createdServer, serverStrict, serverItem, startedServer} from '../../src/contract/servers.ts';
import {answering, connect} from '../support/peer.ts';
import {valueOf} from '../api/describe-client.ts';

const SERVER = {
	name: 'trainer',
	environment: 'ai',
	port: 8888,
	server_request: 'svc-medium',
	status: 'ready',
	assistant_editor_url: 'https://e',
	port_forward_url: 'pending',
	url: 'https://u',
	thumb: '/t',
	token: null,
};
const OPTION = {
	name: 'H100 (1x)',
	cloud_host: 'h',
	compute_id: 'h-H100x1',
	cpus: 8,
	memory: '64G',
	num_gpus: 1,
	vram_per_gpu: '80G',
	total_vram: '80G',
	hourly_price: 2.5,
	availability: [{available: true, region: 'eu'}],
};
const CELL = {
	cell_type: 'code',
	execution_count: 3,
	metadata: {},
	source: '1',
	outputs: [{output_type: 'stream', name: 'stdout', text: '1\n'}],
};
const FILE = {
	name: 'a.txt',
	path: 'd/a.txt',
	serverPath: 'd/a.txt',
	type: 'file',
	format: 'text',
	content: 'text',
	mimetype: 'text/plain',
	size: 4,
	created: 'x',
	last_modified: 'y',
	writable: true,
};

test.each([
	['a server', serverItem, SERVER],
	['an option', computeOption, OPTION],
	['a cell', executedCell, CELL],
	['a file', fileEntry, FILE],
])('%s as the API states it is read unchanged', (_, shape, item) => {
	expect(shape.parse(item)).toEqual(item);
});

describe('data of other services is read', () => {
	test.each([
		[{port: '8888'}, {port: 8888}],
		[{port: null}, {port: null}],
		[{port: undefined}, {port: null}],
		[{port: 'x'}, {port: null}],
		[{port: 88.5}, {port: null}],
		[{server_request: undefined}, {server_request: ''}],
		[{status: null}, {status: ''}],
		[{environment: 7}, {environment: '7'}],
		[{token: 5}, {token: null}],
		[{name: 7}, {name: '7'}],
		[{name: undefined, server_name: 'trainer'}, {name: 'trainer'}],
	])('of a server %j', (odd, read) => {
		expect(serverItem.parse({...SERVER, ...odd})).toMatchObject(read);
		expect(serverStrict.safeParse({...SERVER, ...odd}).success).toBe(false);
	});

	test.each([
		[{cpus: 1.5}, {cpus: 1.5}],
		[{cpus: '8'}, {cpus: 8}],
		[{cpus: null}, {cpus: Number.NaN}],
		[{hourly_price: '0.0003'}, {hourly_price: 0.0003}],
		[{hourly_price: null}, {hourly_price: Number.NaN}],
		[{hourly_price: -1}, {hourly_price: Number.NaN}],
		[{num_gpus: undefined}, {num_gpus: Number.NaN}],
		[{availability: null}, {availability: []}],
		[{memory: 64}, {memory: '64'}],
		[
			{availability: [{available: 'true', region: 'eu'}, null, {region: 'us'}]},
			{availability: [{available: true, region: 'eu'}]},
		],
		[{name: undefined}, {name: 'h-H100x1'}],
	])('of an option %j', (odd, read) => {
		expect(computeOption.parse({...OPTION, ...odd})).toMatchObject(read);
		if (!('cpus' in odd && odd.cpus === 1.5) && !('hourly_price' in odd && odd.hourly_price === -1))
			expect(computeStrict.safeParse({...OPTION, ...odd}).success).toBe(false);
	});

	test.each([
		[{execution_count: '3'}, {execution_count: 3}],
		[{execution_count: undefined}, {execution_count: null}],
		[{metadata: null}, {metadata: {}}],
		[{outputs: null}, {outputs: []}],
		[{source: ['a\n', 'b']}, {source: 'a\nb'}],
		[{outputs: [{text: ['a\n', 'b']}]}, {outputs: [{output_type: 'stream', name: 'stdout', text: 'a\nb'}]}],
		[{outputs: 'text'}, {outputs: [{output_type: 'stream', name: 'stdout', text: 'text'}]}],
		[
			{outputs: [{ename: 'E', evalue: 'v'}, {data: {'text/plain': '1'}}]},
			{outputs: [{output_type: 'error', ename: 'E'}, {output_type: 'display_data'}]},
		],
		[
			{outputs: [7, {what: 1}]},
			{
				outputs: [
					{output_type: 'stream', text: '7\n'},
					{output_type: 'stream', text: '{"what":1}\n'},
				],
			},
		],
	])('of a cell %j', (odd, read) => {
		expect(executedCell.parse({...CELL, ...odd})).toMatchObject(read);
	});

	test.each([
		[{size: '4'}, {size: 4}],
		[{size: 'big'}, {size: null}],
		[{writable: 'yes'}, {writable: null}],
		[{name: undefined}, {name: 'a.txt'}],
		[{path: undefined}, {path: 'a.txt'}],
		[{type: undefined, content: []}, {type: 'directory'}],
		[{format: 7}, {format: null}],
	])('of a file %j', (odd, read) => {
		expect(fileEntry.parse({...FILE, ...odd})).toMatchObject(read);
	});

	test('of a create and a start without a word', () => {
		expect(createdServer.parse({})).toMatchObject({
			status: 'success',
			server_name: '',
			port: null,
			hourly_rate: null,
		});
		expect(startedServer.parse({hourly_rate: '0.5', token: null})).toMatchObject({
			hourly_rate: 0.5,
			token: null,
		});
	});

	test('of an environment', () => {
		expect(environment.parse('ai')).toMatchObject({environment_id: 'ai', name: 'ai', description: ''});
		expect(environment.parse({environment_id: 5, description: null})).toMatchObject({
			environment_id: '5',
			name: '5',
			description: '',
		});
	});
});

describe('any values in its fields', () => {
	const odd = fc.oneof(
		fc.constant(undefined),
		fc.constant(null),
		fc.boolean(),
		fc.integer(),
		fc.double(),
		fc.string(),
		fc.integer().map(String),
		fc.array(fc.jsonValue(), {maxLength: 3}),
		fc.dictionary(fc.string(), fc.jsonValue(), {maxKeys: 3}),
	);
	const oddly = (item: object, except: readonly string[]) =>
		fc.record(
			Object.fromEntries(
				Object.keys(item)
					.filter(key => !except.includes(key))
					.map(key => [key, fc.oneof(fc.constant(Reflect.get(item, key) as unknown), odd)]),
			),
		);

	test('a server with a name is a server', () => {
		fc.assert(
			fc.property(oddly(SERVER, ['name']), item => {
				const {port, status, server_request: request, url} = serverItem.parse({...item, name: 'trainer'});
				expect(port === null || (Number.isSafeInteger(port) && port >= 0)).toBe(true);
				expect([typeof status, typeof request, typeof (url ?? '')]).toEqual(['string', 'string', 'string']);
			}),
		);
	});

	test('an option with a name is an option, its numbers are numbers', () => {
		fc.assert(
			fc.property(oddly(OPTION, ['name']), item => {
				const {
					hourly_price: price,
					cpus,
					num_gpus: gpus,
					availability,
				} = computeOption.parse({...item, name: 'H100'});
				for (const number of [price, cpus, gpus])
					expect(Number.isNaN(number) || (Number.isFinite(number) && number >= 0)).toBe(true);
				for (const each of availability)
					expect([typeof each.available, typeof each.region]).toEqual(['boolean', 'string']);
			}),
		);
	});

	test('a cell is a cell, and each of its outputs is there', () => {
		fc.assert(
			fc.property(oddly(CELL, ['outputs']), fc.array(odd, {maxLength: 5}), (item, outputs) => {
				const cell = executedCell.parse({...item, outputs});
				expect(cell.outputs).toHaveLength(outputs.length);
				for (const output of cell.outputs) expect(typeof output.output_type).toBe('string');
			}),
		);
	});

	test('a file is a file', () => {
		fc.assert(
			fc.property(oddly(FILE, ['content', 'name']), item => {
				const {size, name} = fileEntry.parse({...item, name: 'a', content: 'x'});
				expect([name, size === null || size === undefined || size >= 0]).toEqual(['a', true]);
			}),
		);
	});
});

describe('an order that was taken', () => {
	const CREATE = {environment: 'ai', port: 8888, server_name: 'trainer', server_request: 'svc-medium'};
	test.each([
		[202, '{}'],
		[201, ''],
		[204, ''],
		[200, '{"status":"ok","id":7}'],
		[202, '"accepted"'],
		[202, '{"status":"success","server_name":"trainer","hourly_rate":null}'],
	])('with %i %j is not reported as lost', async (status, body) => {
		await using peer = await answering(status, body);
		expect(valueOf(await connect(peer.url).createServer(CREATE))).toMatchObject({hourly_rate: null});
		expect(valueOf(await connect(peer.url).startServer('trainer', CREATE))).toMatchObject({
			hourly_rate: null,
		});
		expect(
			await connect(peer.url).putFile('s', 'a', {content: '', format: 'text', type: 'file'}),
		).toMatchObject({ok: true});
	});
});
