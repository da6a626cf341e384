import {expect, test} from 'vitest';
import {REPL} from '../../support/sessions.ts';
import {connect, httpPeer} from '../../support/peer.ts';

test('a request for a kernel that is being opened returns the same one', async () => {
	const made: string[] = [];
	await using jupyter = await httpPeer((response, {method, url}, body) => {
		if (method === 'POST' && url?.includes('sessions')) made.push(body);
		response
			.writeHead(200, {'content-type': 'application/json'})
			.end(
				JSON.stringify(
					url?.includes('status') ? {started: '', kernels: 0} : {id: 's', kernel: {id: `k${made.length}`}},
				),
			);
	});
	const found = await connect(jupyter.url).live({url: `${jupyter.url}/`, token: 't'}, new Set());
	if (!('live' in found)) throw new Error(JSON.stringify(found));
	const {live} = found;
	void live.kernels.sharing(REPL);
	void live.kernels.hears(REPL);
	void live.complete('a', 1, REPL);
	await new Promise(resolve => setImmediate(resolve));
	expect(await live.kernels.idOf(REPL)).toEqual({ok: true, value: 'k1'});
	expect(made).toHaveLength(1);
	live.close();
});
