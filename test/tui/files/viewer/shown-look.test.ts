import {afterEach, expect, test} from 'vitest';
import {currentAppearance, setAppearance} from '../../../../src/tui/core/theme/theme.ts';
import {shownIn} from '../../../../src/tui/files/layout.ts';
import {textFile} from '../../../../src/tui/files/content.ts';
import {storeOn} from '../../../support/store-on.ts';
import {ready, server} from '../../../support/factories.ts';
import {fileViewer} from '../../../../src/tui/files/viewer/open-file.ts';

const look = currentAppearance();
afterEach(() => setAppearance(look));

test('an open file is drawn in the colours of another theme at once', async () => {
	const path = 'a.json';
	const store = storeOn('http://127.0.0.1:9');
	store.setState({servers: ready([server({name: 's'})]), current: 's', screen: 'files'});
	await fileViewer(store.getState).openFile('s', path);
	const viewer = store.getState().viewers.get('s');
	if (viewer === undefined) throw new Error('no viewer');
	store.setState({
		viewers: new Map([['s', {...viewer, file: {status: 'ready', value: textFile(path, '{"a": 1}'), at: 0}}]]),
	});
	const rows = () =>
		shownIn(store.getState(), 's', {x: 0, y: 0, width: 80, height: 24})?.laid?.rows.join('\n');
	setAppearance({...look, theme: 'dark', depth: 24});
	const dark = rows();
	expect(dark).toMatch(/\u001B\[/);
	setAppearance({...look, theme: 'light', depth: 24});
	expect(rows()).not.toBe(dark);
	setAppearance({...look, theme: 'dark', depth: 24});
	expect(rows()).toBe(dark);
});
