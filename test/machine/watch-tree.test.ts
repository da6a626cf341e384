import {mkdirSync, readdirSync, renameSync, rmSync, watch, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {expect, test} from 'vitest';
import {watchTree} from '../../src/machine/watch-tree.ts';
import {tempFolder} from '../support/temp-folder.ts';

const {signal} = new AbortController();

/** Lists a folder as the walk does, without entries called `out`. */
const listing =
	(folder: string) =>
	(entering: (path: string) => void): void => {
		const enter = (path: string): void => {
			entering(path);
			for (const entry of readdirSync(join(folder, path), {withFileTypes: true}))
				if (entry.isDirectory() && entry.name !== 'out') enter(join(path, entry.name));
		};
		enter('');
	};

test('reports changes in existing folders, later ones, and replacements of others', async () => {
	using temp = tempFolder();
	const tree = watchTree(temp.path);
	const walk = (): void => tree.walk(listing(temp.path));
	const tells = async (change: () => void): Promise<void> => {
		walk();
		change();
		await tree.changed(signal);
	};
	mkdirSync(join(temp.path, 'src'));
	await tells(() => writeFileSync(join(temp.path, 'src/a.py'), '1'));
	await tells(() => writeFileSync(join(temp.path, 'src/a.py'), '2'));
	await tells(() => mkdirSync(join(temp.path, 'new/deep'), {recursive: true}));
	await tells(() => writeFileSync(join(temp.path, 'new/deep/b.py'), '1'));
	await tells(() => {
		rmSync(join(temp.path, 'new'), {recursive: true});
		mkdirSync(join(temp.path, 'new/deep'), {recursive: true});
	});
	await tells(() => writeFileSync(join(temp.path, 'new/deep/b.py'), '1'));
	await tells(() => renameSync(join(temp.path, 'src'), join(temp.path, 'lib')));
	await tells(() => writeFileSync(join(temp.path, 'lib/c.py'), '1'));
	tree.close();
});

test('only folders that a walk enters are watched, and those that it no longer enters are dropped', () => {
	using temp = tempFolder();
	mkdirSync(join(temp.path, 'out/deep'), {recursive: true});
	mkdirSync(join(temp.path, 'src'));
	const open = new Set<string>();
	const tree = watchTree(temp.path, ((place: string) => {
		const watched = watch(place);
		open.add(basename(place));
		watched.on('close', () => open.delete(basename(place)));
		return watched;
	}) as typeof watch);
	tree.walk(listing(temp.path));
	expect([...open]).toEqual([basename(temp.path), 'src']);
	tree.walk(entering => entering(''));
	tree.close();
	expect(tree.fault).toBeNull();
});

test('without system watches a notice says so, and each poll may find a change', async () => {
	using temp = tempFolder();
	const tree = watchTree(temp.path, () => {
		throw Object.assign(new Error('no watches'), {code: 'ENOSPC'});
	});
	expect(tree.walk(() => 'listed')).toBe('listed');
	expect(tree.fault).toBeNull();
	tree.walk(listing(temp.path));
	expect(tree.fault).toBe('ENOSPC');
	await tree.changed(signal);
	await tree.changed(signal, 0);
	await expect(tree.changed(AbortSignal.abort())).rejects.toThrow('aborted');
});
