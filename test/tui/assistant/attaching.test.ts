import {expect, test} from 'vitest';
import {conversationOf} from '../../../src/tui/assistant/conversation.ts';
import type {Store} from '../../../src/tui/core/program.ts';
import {httpPeer} from '../../support/peer.ts';
import {storeOn} from '../../support/store-on.ts';
import {waitFor} from '../../support/wait-for.ts';
import {attaching} from '../../../src/tui/assistant/attached.ts';

const SERVER = 's';
const ENTRIES: Readonly<Record<string, object>> = {
	'there.py': {type: 'file', format: 'text', content: 'x = 1\n'},
	'data.bin': {type: 'file', format: 'base64', content: 'AAEC'},
	folder: {type: 'directory', content: []},
};

/** A service with three paths. It answers other paths with 404. */
const fileService = async () =>
	httpPeer((response, {url = ''}) => {
		const path = decodeURIComponent(url.split('/').at(-1) ?? '');
		const entry = ENTRIES[path];
		response
			.writeHead(entry ? 200 : 404, {'content-type': 'application/json'})
			.end(
				JSON.stringify(
					entry
						? {status: 'success', content: {name: path, path, ...entry}}
						: {status: 'error', message: 'no such file'},
				),
			);
	});

const attached = (store: Store): readonly string[] =>
	conversationOf(store.getState(), SERVER).attached.map(({mention}) => mention);
const said = (store: Store): string => store.getState().notices.at(-1)?.text ?? '';

/** The message context and the notice after a path was attached with the key. */
const afterAttaching = async (path: string) => {
	await using peer = await fileService();
	const store = storeOn(peer.url);
	store.setState({current: SERVER, screen: 'files'});
	expect(attaching(store.getState).addAttachment({kind: 'file', path})).toBeUndefined();
	await waitFor(() => expect(said(store)).not.toBe(''));
	return {attached: attached(store), said: said(store)};
};

test('a file that is there is attached by its key', async () => {
	expect(await afterAttaching('there.py')).toEqual({
		attached: ['@there.py'],
		said: '@there.py is attached to the next question',
	});
});

test.each(['gone.py', 'folder', 'data.bin'])(
	'unsendable content is not attached by its key, and the reason names it: %s',
	async path => {
		const after = await afterAttaching(path);
		expect(after.attached).toEqual([]);
		expect(after.said).toMatch(new RegExp(`^Not attached\\. @"?${path.replace('.', String.raw`\.`)}`));
	},
);
