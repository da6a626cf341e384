import {expect, test} from 'vitest';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {listUnsavedEdits} from '../../src/storage/unsaved-edits.ts';
import {openServiceStorage, type ServiceStorage} from '../../src/storage/service-storage.ts';
import {makeRecoveryCopy} from '../../src/storage/recovery-copy.ts';
import {tempFolder} from '../support/temp-folder.ts';

const BASE = `${'before 🦕 '.repeat(100_000)}\n`;
const keeperIn = (folder: string): ServiceStorage =>
	openServiceStorage(folder, 'https://notebooks.example.com');
const copyFor = (keeper: ServiceStorage): ReturnType<typeof makeRecoveryCopy> =>
	makeRecoveryCopy(keeper, {
		name: 'n.ipynb',
		text: BASE,
		isNew: false,
		about: {what: 'file', server: 's', path: 'n.ipynb'},
	});
/** The edits that the next process finds. */
const offered = (keeper: ServiceStorage): readonly unknown[] =>
	listUnsavedEdits(keeper, Date.now()).map(edit => [edit.read(), edit.before, edit.beside]);

test('a copy is offered to the next session as soon as its own has released it', async () => {
	using temp = tempFolder();
	const keeper = keeperIn(temp.path);
	const copy = copyFor(keeper);
	await copy.writeBehind(['mi', 'ne']);
	expect(listUnsavedEdits(keeper, Date.now())).toEqual([]);
	copy.release();
	expect(listUnsavedEdits(keeper, Date.now()).map(edit => [edit.read(), edit.isLeft])).toEqual([
		['mine', false],
	]);
});

test('an immediate write is not overwritten by one in progress, nor a newer text by an older', async () => {
	using temp = tempFolder();
	const keeper = keeperIn(temp.path);
	const copy = copyFor(keeper);
	const first = copy.writeBehind(['first']);
	// The program ends before the edits are written.
	copy.write('at the end');
	copy.release();
	expect(offered(keeper)).toEqual([['at the end', BASE, []]]);
	await first;
	expect(offered(keeper)).toEqual([['at the end', BASE, []]]);

	// Once an outdated write has settled, callers may drop the text that is on disk.
	const firstOfThree = copy.writeBehind(['one', 'one']);
	const rest = ['two', 'three'].map(async text => copy.writeBehind([text, text]));
	expect(await firstOfThree).toBe(true);
	expect(offered(keeper)).toEqual([['threethree', BASE, []]]);
	expect(await Promise.all(rest)).toEqual([true, true]);
	const long = copy.writeBehind([BASE, BASE]);
	copy.write('newer');
	await long;
	expect(offered(keeper)).toEqual([['newer', BASE, []]]);
	expect(readdirSync(dirname(copy.path)).length).toBe(3);
});

test('a discarded copy is gone, and a write in progress has no effect', async () => {
	using temp = tempFolder();
	const keeper = keeperIn(temp.path);
	const copy = copyFor(keeper);
	await copy.writeBehind(['mine']);
	const writing = copy.writeBehind([BASE]);
	copy.discard();
	expect(await writing).toBe(false);
	expect(offered(keeper)).toEqual([]);
	expect(existsSync(copy.path)).toBe(false);
});

test('a copy that cannot be written is reported, and can be once the folder is back', async () => {
	using temp = tempFolder();
	const copy = copyFor(keeperIn(join(temp.path, 'none')));
	const folder = dirname(copy.path);
	rmSync(folder, {recursive: true});
	await expect(copy.writeBehind(['mine'])).rejects.toMatchObject({code: 'ENOENT'});
	mkdirSync(folder);
	await copy.writeBehind(['mine']);
	expect(readFileSync(copy.path, 'utf8')).toBe('mine');
});

test('a partial write of a killed program is not offered beside a copy', async () => {
	using temp = tempFolder();
	const keeper = keeperIn(temp.path);
	const copy = copyFor(keeper);
	await copy.writeBehind(['mine']);
	for (const name of [`${copy.path}.4711.part`, `${copy.path}.4711.tmp`]) writeFileSync(name, 'mi');
	copy.release();
	expect(offered(keeper)).toEqual([['mine', BASE, []]]);
	writeFileSync(`${copy.path}.swp`, "an editor's own");
	expect(offered(keeper)).toEqual([['mine', BASE, [`${copy.path}.swp`]]]);
});
