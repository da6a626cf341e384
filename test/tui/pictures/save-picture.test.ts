import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {storeOn} from '../../support/store-on.ts';
import {pictureViewer} from '../../../src/tui/pictures/pictures.ts';

test('Enter twice in a burst saves a picture once, with one notice', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'save-picture-'));
	try {
		const store = storeOn('http://127.0.0.1:1');
		const picture = {name: 'a.png', bytes: Buffer.from('as it was sent')};
		const path = join(folder, 'a.png');
		expect(
			await Promise.all([
				pictureViewer(store.getState).savePicture(picture, path),
				pictureViewer(store.getState).savePicture(picture, path),
			]),
		).toEqual([true, false]);
		expect(readFileSync(path, 'utf8')).toBe('as it was sent');
		expect(store.getState().notices.map(({kind}) => kind)).toEqual(['good']);
		// A second save does not overwrite the file.
		expect(await pictureViewer(store.getState).savePicture(picture, path)).toBe(false);
		expect(store.getState().notices.at(-1)?.text).toContain('already exists. Choose another name');
	} finally {
		rmSync(folder, {recursive: true});
	}
});
