// @module-tag long
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {valueOf} from '../api/describe-client.ts';
import {INSTALL_MS, installPeers} from './install-peers.ts';
import {typeErrors} from './model-types.ts';
import {askPeer} from './peer-process.ts';
import {realService, type RealService} from './real-service.ts';

type Model = Readonly<Record<string, unknown>>;
type Result = {readonly model?: Model | null; readonly error?: string; readonly status?: number};

const TEXT = 'a "b" \\ é表😀 \u2028\r\n\u0000\n';
const BYTES = Buffer.from(Array.from({length: 256}, (_, byte) => byte)).toString('base64');
const NAME = 'ä b#c%41é表😀.txt';

let service: RealService;
const drive = async (...steps: readonly (readonly unknown[])[]): Promise<readonly Result[]> =>
	askPeer('contents-process.mjs', {url: service.url, apiKey: service.apiKey, server: 'welcome', steps});
const modelOf = ({model, error}: Result | undefined = {}): Model => {
	if (!model) throw new Error(error ?? 'no model');
	return model;
};

beforeAll(async () => {
	await installPeers();
	service = await realService();
}, INSTALL_MS);
afterAll(async () => service?.[Symbol.asyncDispose]());

describe("JupyterLab's drive", () => {
	test.each([
		['text', 'notes.txt', {type: 'file', format: 'text', content: TEXT}, 'text/plain'],
		['bytes', 'blob.bin', {type: 'file', format: 'base64', content: BYTES}, 'application/octet-stream'],
		['a name of odd characters', NAME, {type: 'file', format: 'text', content: 'x'}, 'text/plain'],
		['an empty file', 'empty', {type: 'file', format: 'text', content: ''}, 'text/plain'],
		[
			'a notebook as text',
			'a.ipynb',
			{type: 'file', format: 'text', content: '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}'},
			'application/x-ipynb+json',
		],
	])('saves %s and reads it again', async (_, path, file, mimetype) => {
		// The requests include the names, as those of JupyterLab do.
		const [saved, read] = await drive(
			['save', path, {...file, name: path, path}],
			['get', path, {content: true, type: 'file', format: file.format}],
		);
		const known = {name: path, path, serverPath: path, type: 'file', mimetype, writable: true};
		expect(modelOf(saved)).toMatchObject({...known, content: null, format: null});
		expect(modelOf(read)).toMatchObject({...known, content: file.content, format: file.format});
	});

	test('makes a folder, and lists it and the root', async () => {
		const [made, , root, folder] = await drive(
			['save', 'made', {type: 'directory'}],
			['save', 'made/in.txt', {type: 'file', format: 'text', content: 'x'}],
			['get', ''],
			['get', 'made'],
		);
		expect(modelOf(made)).toMatchObject({name: 'made', path: 'made', type: 'directory', content: null});
		expect(modelOf(root)).toMatchObject({name: '', path: '', type: 'directory', format: 'json'});
		expect(modelOf(root)['content']).toEqual(
			expect.arrayContaining([
				expect.objectContaining({name: 'made', path: 'made', type: 'directory', content: null, format: null}),
			]),
		);
		expect(modelOf(folder)).toMatchObject({
			path: 'made',
			type: 'directory',
			format: 'json',
			content: [{name: 'in.txt', path: 'made/in.txt', type: 'file', content: null}],
		});
	});

	test("reports a missing file in the service's words", async () => {
		expect(await drive(['get', 'no/such.txt'])).toEqual([
			{status: 404, error: '"no/such.txt" does not exist.'},
		]);
	});

	test('finds nothing missing in the entries of a folder, whose content it does not request', async () => {
		const root = modelOf((await drive(['get', '']))[0]);
		const entries = root['content'] as readonly Model[];
		expect(entries.length).toBeGreaterThan(3);
		expect(await drive(...entries.map(entry => ['validate', entry]))).toEqual(
			entries.map(() => ({model: null})),
		);
	});

	test('would refuse an answer that lacks a field', async () => {
		const whole = modelOf((await drive(['get', 'README.md']))[0]);
		const fields = ['name', 'path', 'type', 'created', 'last_modified', 'mimetype', 'content', 'format'];
		const without = (field: string): Model =>
			Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
		expect(await drive(...fields.map(field => ['validate', without(field)]))).toEqual(
			fields.map(field => ({error: `Missing property '${field}'`})),
		);
	});
});

describe("JupyterLab's type of a file", () => {
	// According to JupyterLab's comments and in Jupyter's responses, these fields are null for
	// folders. JupyterLab's type does not allow that.
	const NULLABLE =
		"Omit<Contents.IModel, 'mimetype' | 'size'> & {readonly mimetype: string | null; readonly size: number | null}";
	const fileOf = async (path: string): Promise<unknown> =>
		JSON.parse(JSON.stringify(valueOf(await service.client.getFile('welcome', path)))) as unknown;

	test('describes text, bytes and what an upload answers, with no field more', async () => {
		const uploaded = valueOf(
			await service.client.putFile('welcome', 'bytes.bin', {type: 'file', format: 'base64', content: BYTES}),
		);
		const models = {uploaded, text: await fileOf('README.md'), bytes: await fileOf('bytes.bin')};
		expect(typeErrors(models)).toEqual({uploaded: [], text: [], bytes: []});
	});

	test('describes folders and their entries', async () => {
		const root = (await fileOf('')) as {readonly content: readonly Model[]};
		const entries = Object.fromEntries(root.content.map(entry => [String(entry['path']), entry]));
		expect(Object.keys(entries)).toEqual(expect.arrayContaining(['src', 'README.md']));
		const found = typeErrors({...entries, '.': root}, NULLABLE);
		expect(found).toEqual(Object.fromEntries([...Object.keys(entries), '.'].map(name => [name, []])));
	});

	test('is not a type that accepts everything', async () => {
		const text = (await fileOf('README.md')) as Model;
		const {writable: _, ...unwritable} = text;
		const found = typeErrors({
			text,
			unwritable,
			strange: {...text, strange: 1},
			size: {...text, size: '4'},
			format: {...text, format: 'utf-8'},
		});
		expect(Object.entries(found).map(([name, messages]) => [name, messages.length])).toEqual([
			['text', 0],
			['unwritable', 1],
			['strange', 1],
			['size', 1],
			['format', 1],
		]);
	});
});
