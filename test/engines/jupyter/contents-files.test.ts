import {expect, test} from 'vitest';
import {contentsFiles} from '../../../src/engines/jupyter/contents-files.ts';
import {httpPeer} from '../../support/peer.ts';

const model = (path: string) => ({
	name: path.split('/').at(-1),
	path,
	type: 'file',
	writable: true,
	created: '2026-01-02T03:04:05.678901Z',
	last_modified: '2026-01-02T03:04:05.678901Z',
	mimetype: null,
	format: null,
	size: 4,
	content: null,
});

test('a name that a Jupyter Server hides is reported as hidden, to be read or written, below a hidden folder too', async () => {
	await using peer = await httpPeer((response, {method}) => {
		response.writeHead(method === 'GET' ? 404 : 400, {'content-type': 'application/json'});
		response.end('{"message":"Cannot create hidden file or directory \'/srv/home/.env\'","reason":null}');
	});
	const files = contentsFiles({url: `${peer.url}/`, token: 't'});
	for (const path of ['.env', '.config/a.txt', 'a/.b/c.txt']) {
		const name = JSON.stringify(path);
		const put = files.put(path, {type: 'file', format: 'text', content: 'x'}, undefined);
		await expect(put).rejects.toMatchObject({status: 403});
		await expect(put).rejects.toThrow(
			`${name} is hidden: names that begin with a dot are neither shown nor written on this server.`,
		);
		await expect(files.get(path)).rejects.toMatchObject({status: 404});
		await expect(files.get(path)).rejects.toThrow(`${name} does not exist, or the server hides it`);
	}
	await expect(
		files.put('.git', {type: 'directory', format: null, content: null}, undefined),
	).rejects.toThrow('is hidden');
	await expect(files.get('a.txt')).rejects.toThrow('"a.txt" does not exist.');
});

test('an upload has a media type, even if its name suggests none', async () => {
	await using peer = await httpPeer((response, request) => {
		response.writeHead(201, {'content-type': 'application/json'});
		response.end(JSON.stringify(model(decodeURIComponent(request.url ?? '').replace('/api/contents/', ''))));
	});
	const files = contentsFiles({url: `${peer.url}/`, token: 't'});
	const put = async (content: string, format: 'text' | 'base64') =>
		(await files.put('Makefile', {type: 'file', format, content}, undefined)).mimetype;
	expect(await put('all:', 'text')).toBe('text/plain');
	expect(await put(Buffer.from('all:').toString('base64'), 'base64')).toBe('text/plain');
	expect(await put(Buffer.from([0xff, 0xfe]).toString('base64'), 'base64')).toBe('application/octet-stream');
});
