import {expect, test} from 'vitest';
import {withoutColours} from '../../../src/text/width/width.ts';
import {detailLines} from '../../../src/tui/servers/detail.ts';
import {server} from '../../support/factories.ts';
import {storeOn} from '../../support/store-on.ts';

test('a CA of its own is shown in words, not by its certificate', () => {
	const attached = server({attached: true, certificate_authority: '-----BEGIN CERTIFICATE-----\nMIIB'});
	const {getState} = storeOn('http://127.0.0.1:9');
	const shown = detailLines(attached, getState(), 0, 80).join('\n');
	expect(shown).toMatch(/trusted.*an authority of its own, besides the usual ones/);
	expect(shown).not.toContain('BEGIN');
	expect(detailLines(server({}), getState(), 0, 80).join('\n')).not.toContain('trusted');
});

test('a long state is cut in the list and whole in the details', () => {
	const status = 'error: the machine in eu-west-1b could not be reserved for you';
	const {getState} = storeOn('http://127.0.0.1:9');
	const text = detailLines(server({status}), getState(), 0, 50)
		.map(row => withoutColours(row).trim())
		.join(' ');
	expect(text).toContain(`· ${status} `);
});
