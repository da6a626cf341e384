import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Metafile} from 'esbuild';

const RULE = '-'.repeat(80);

/** Copyright holders of packages that name the MIT licence only in their source files. */
const NAMED_IN_SOURCE: Readonly<Record<string, string>> = {
	'yoga-layout': 'Copyright (c) Meta Platforms, Inc. and affiliates.',
};

type Manifest = {readonly name: string; readonly version: string; readonly license?: string};

/**
 * Folders of packages from which at least a byte is in the bundle. Relative to the root, sorted.
 */
export const bundledPackages = (metafiles: readonly Metafile[]): readonly string[] => {
	const folders = metafiles
		.flatMap(({outputs}) => Object.values(outputs))
		.flatMap(({inputs}) => Object.entries(inputs))
		.filter(([, {bytesInOutput}]) => bytesInOutput > 0)
		// Paths that a plugin replaced have a prefix before `node_modules`.
		.map(([path]) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
		.filter(folder => folder !== undefined);
	return [...new Set(folders)].sort();
};

/**
 * Licences of everything in the bundle, and of the packages in `others`, which are copied beside
 * it.
 * @throws {Error} if a package has no text of its licence.
 */
export const licences = async (
	root: string,
	metafiles: readonly Metafile[],
	others: readonly string[] = [],
): Promise<string> => {
	const mit = await readFile(join(root, 'LICENSE'), 'utf8');
	const entries = await Promise.all(
		[...bundledPackages(metafiles), ...others].map(async folder => {
			const path = join(root, folder);
			const {name, version, license} = JSON.parse(
				await readFile(join(path, 'package.json'), 'utf8'),
			) as Manifest;
			const files = (await readdir(path)).filter(file => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
			const holder = NAMED_IN_SOURCE[name];
			if (files.length === 0 && (holder === undefined || license !== 'MIT'))
				throw new Error(`${name} has no file with its licence`);
			const texts = await Promise.all(files.map(file => readFile(join(path, file), 'utf8')));
			if (holder !== undefined) texts.push(mit.replace(/^Copyright .*$/m, holder));
			return [
				RULE,
				`${name} ${version} (${license ?? 'see below'})`,
				'',
				...texts.map(text => text.trim()),
				'',
			];
		}),
	);
	return ['svc-tui contains the following packages.', '', ...entries.flat()].join('\n');
};
