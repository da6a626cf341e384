// Parses the pages of a package index: JSON according to PEP 691, or HTML according to PEP 503.
import * as z from 'zod';
import {jsonIn} from '../../../text/record.ts';
import {normalName} from './lock.ts';
import {versionIn} from './python-version.ts';

/** Value of the Accept header: prefers JSON, but accepts HTML. */
export const ACCEPTED = 'application/vnd.pypi.simple.v1+json, text/html;q=0.1';

/** Wheel listed in an index. `sha256` is in hexadecimal, or null if the index does not state it. */
export type IndexedWheel = {
	readonly file: string;
	readonly version: string;
	readonly url: URL;
	readonly sha256: string | null;
	readonly requiresPython: string | null;
	readonly isYanked: boolean;
};

export type IndexPage = {
	/** Wheels that run on every platform with Python 3. */
	readonly pure: readonly IndexedWheel[];
	/** Number of other files, which are sources or built for a specific platform. */
	readonly others: number;
};

type Listed = {
	readonly file: string;
	readonly href: string;
	readonly sha256: string | null;
	readonly requiresPython: string | null;
	readonly isYanked: boolean;
};

const json = z.looseObject({
	files: z.array(
		z
			.looseObject({
				filename: z.string(),
				url: z.string(),
				hashes: z.record(z.string(), z.string()).default({}),
				'requires-python': z.string().nullish(),
				yanked: z.union([z.boolean(), z.string()]).default(false),
			})
			.transform(
				({filename: file, url: href, hashes, yanked, 'requires-python': requiresPython}): Listed => ({
					...{file, href, requiresPython: requiresPython ?? null, isYanked: yanked !== false},
					sha256: hashes['sha256'] ?? null,
				}),
			),
	),
});

const plain = (text: string): string =>
	text
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&amp;', '&');

const listedIn = (html: string): readonly Listed[] =>
	[...html.matchAll(/<a\b([^>]*)>([^<]*)<\/a>/gi)].flatMap(([, attributes = '', text = '']) => {
		const values = new Map(
			[...attributes.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g)].map(
				([, name = '', double, single]) => [name.toLowerCase(), plain(double ?? single ?? '')] as const,
			),
		);
		const href = values.get('href');
		if (href === undefined) return [];
		return [
			{
				file: plain(text.trim()),
				href,
				sha256: /#(?:.*&)?sha256=([\da-f]{64})/i.exec(href)?.[1] ?? null,
				requiresPython: values.get('data-requires-python') ?? null,
				isYanked: values.has('data-yanked'),
			},
		];
	});

/**
 * Plain file name of a wheel. A path is rejected, because it could lead out of the folder of
 * packages.
 */
const WHEEL =
	/^(?<name>[\w.]+)-(?<version>[\w.!+]+)(?:-\d[\w.]*)?-(?<python>[\w.]+)-(?<abi>[\w.]+)-(?<platform>[\w.]+)\.whl$/;

/**
 * Parses the index page of a package.
 * @throws {Error} if the text is not a page of an index.
 */
export const readPage = (text: string, page: URL, name: string): IndexPage => {
	const found = json.safeParse(jsonIn(text));
	if (!found.success && !/<html|<a\s|<!doctype/i.test(text)) throw new Error('it is not a page of an index');
	const listed = found.success ? found.data.files : listedIn(text);
	const pure = listed.flatMap(({file, href, ...rest}): IndexedWheel[] => {
		const parts = WHEEL.exec(file)?.groups;
		const version = versionIn((parts?.['version'] ?? '').replaceAll('_', '-'));
		const url = URL.parse(href, page.href);
		if (!parts || version === null || url === null || !/^https?:$/.test(url.protocol)) return [];
		const isPure =
			parts['abi'] === 'none' && parts['platform'] === 'any' && /\bpy3\d*\b/.test(parts['python'] ?? '');
		return isPure && normalName(parts['name'] ?? '') === name ? [{file, version, url, ...rest}] : [];
	});
	return {pure, others: listed.length - pure.length};
};
