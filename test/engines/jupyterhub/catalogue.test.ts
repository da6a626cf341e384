import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {loadCatalogue} from '../../../src/service/catalogue/catalogue.ts';
import {tempFolder} from '../../support/temp-folder.ts';

test('the catalogue on the page on hubs works, and its requests to KubeSpawner are in the configuration below it', async () => {
	using temp = tempFolder();
	const page = readFileSync(join(import.meta.dirname, '../../../src/docs/hub.md'), 'utf8');
	const [, json = '', python = ''] = /```json\n([^]+?)```[^]+?```python\n([^]+?)```/.exec(page) ?? [];
	const file = join(temp.path, 'catalogue.json');
	writeFileSync(file, json);
	const catalogue = await loadCatalogue({engine: 'jupyterhub', file});
	expect(catalogue.userOptions('hub-T4x1', 'ai')).toEqual({profile: 'gpu', image: 'ai'});
	expect(catalogue.userOptions('hub-small', 'ai')).toEqual({profile: 'small', image: 'ai'});
	for (const {name, compute_id: id} of catalogue.compute) {
		const {profile, image} = catalogue.userOptions(String(id), 'ai');
		expect([name, python]).toEqual([name, expect.stringContaining(`'slug': '${String(profile)}'`)]);
		expect([name, python]).toEqual([name, expect.stringContaining(`'choices': {'${String(image)}'`)]);
	}
});
