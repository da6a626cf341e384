import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {connect, httpPeer, rawPeer} from '../support/peer.ts';
import {askMany} from '../support/questions.ts';

test('questions of 60 to 500 KB from a busy program: none is lost', async () => {
	expect((await askMany(60)).filter(each => each.lost !== null)).toEqual([]);
});

test.each([10, 65_536, 200_000, 1 << 20, 5_000_000])(
	'a body of %i bytes arrives whole, with its length',
	async size => {
		const content = `x${'é😀'.repeat(size / 6)}"\\`;
		const heads: (string | undefined)[] = [];
		let arrived: unknown;
		await using peer = await httpPeer((response, request, body) => {
			heads.push(
				request.headers['content-length'],
				request.headers['transfer-encoding'],
				request.headers['content-type'],
			);
			arrived = JSON.parse(body);
			response
				.writeHead(200, {'content-type': 'application/json'})
				.end(JSON.stringify({status: 'success', content: {name: 'a', path: 'a', type: 'file'}}));
		});
		const upload = {content, format: 'text', type: 'file'} as const;
		expect(await connect(peer.url).putFile('s', 'a', upload)).toMatchObject({ok: true});
		expect(arrived).toEqual(upload);
		expect(heads).toEqual([String(Buffer.byteLength(JSON.stringify(upload))), undefined, 'application/json']);
	},
);

test('a refusal that comes before a large body was read is reported', async () => {
	// The peer stops reading, like a proxy that limits the size of requests.
	await using peer = await rawPeer(socket =>
		socket.once('data', () => {
			socket.pause();
			socket.write(
				'HTTP/1.1 413 Payload Too Large\r\ncontent-length: 17\r\nconnection: close\r\n\r\nOne MB at most, x',
			);
		}),
	);
	const upload = {content: 'x'.repeat(20_000_000), format: 'text', type: 'file'} as const;
	expect(await connect(peer.url).putFile('s', 'a', upload)).toMatchObject({
		failure: {kind: 'upload-too-large', status: 413, reason: 'One MB at most, x'},
	});
});

test.each(['announced', 'in chunks', 'packed'] as const)(
	'an answer of 5 MB that comes %s is read whole',
	async how => {
		const entry = {
			name: 'a',
			path: 'a',
			type: 'file',
			format: 'text',
			content: `${'é"'.repeat(2_500_000)}end`,
		};
		const body = Buffer.from(JSON.stringify({status: 'success', content: entry}));
		await using peer = await httpPeer(response => {
			const sent =
				how === 'packed' ? gzipSync(Buffer.concat([body, Buffer.alloc(6_000_000, ' ')]), {level: 0}) : body;
			response.writeHead(200, {
				'content-type': 'application/json',
				...(how === 'packed' && {'content-encoding': 'gzip'}),
				...(how !== 'in chunks' && {'content-length': String(sent.length)}),
			});
			response.end(sent);
		});
		expect(await connect(peer.url).getFile('s', 'a')).toMatchObject({ok: true, value: entry});
	},
);

test('a large answer that is not JSON is reported with its beginning', async () => {
	await using peer = await httpPeer(response => {
		const body = `not JSON ${'x'.repeat(5_000_000)}`;
		response
			.writeHead(200, {'content-type': 'application/json', 'content-length': String(body.length)})
			.end(body);
	});
	expect(await connect(peer.url).getFile('s', 'a')).toMatchObject({
		failure: {
			kind: 'off-contract',
			message: expect.stringContaining('sent something that is not JSON.'),
			body: expect.stringMatching(/^not JSON x{2000,}$/),
		},
	});
});
