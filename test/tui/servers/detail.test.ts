import {expect, test} from 'vitest';
import {withoutColours} from '../../../src/text/width/width.ts';
import {detailLines} from '../../../src/tui/servers/detail.ts';
import {server} from '../../support/factories.ts';
import type {Environment} from '../../../src/contract/environments.ts';
import {storeOn} from '../../support/store-on.ts';

test('a CA of its own is shown in words, not by its certificate', () => {
	const attached = server({attached: true, certificate_authority: '-----BEGIN CERTIFICATE-----\nMIIB'});
	const {getState} = storeOn('http://127.0.0.1:9');
	const shown = detailLines(attached, getState(), 0, 80).join('\n');
	expect(shown).toMatch(/Trusted.*an extra CA certificate of its own/);
	expect(shown).not.toContain('BEGIN');
	expect(detailLines(server({}), getState(), 0, 80).join('\n')).not.toContain('Trusted');
});

test('a long state is cut in the list and whole in the details', () => {
	const status = 'error: the machine in eu-west-1b could not be reserved for you';
	const {getState} = storeOn('http://127.0.0.1:9');
	const text = detailLines(server({status}), getState(), 0, 50)
		.map(row => withoutColours(row).trim())
		.join(' ');
	expect(text).toContain(`· ${status} `);
});

test('the sample server names the environment with packages for data, until it has that', () => {
	const state = storeOn('http://127.0.0.1:9').getState();
	const nextOf = (name: string, environment: string, own = 'Data', isLocal = true): string | undefined => {
		const items: readonly Environment[] = [{environment_id: 'data', name: own, description: ''}];
		const environments = {
			...state.environments,
			status: 'ready' as const,
			value: {items, unreadable: 0, raw: items},
		};
		return detailLines(server({name, environment}), {...state, isLocal, environments}, 0, 200)
			.map(withoutColours)
			.find(row => row.startsWith('Next'));
	};
	expect(nextOf('welcome', 'ai')).toMatch(
		/^Next +3 lists the environment Data, which has NumPy, pandas and Matplotlib$/,
	);
	expect(nextOf('welcome', 'data')).toBeUndefined();
	expect(nextOf('lab', 'ai')).toBeUndefined();
	expect(nextOf('welcome', 'ai', 'data')).toBeUndefined();
	expect(nextOf('welcome', 'ai', 'Data', false)).toBeUndefined();
});
