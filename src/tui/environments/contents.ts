import type {EnvironmentContents} from '../../contract/environment-setup.ts';
import {label} from '../../text/safe.ts';
import {megabytes} from '../../text/size.ts';
import {fit} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {paint} from '../core/theme/theme.ts';

/** Width of the labels before the values, in cells. */
const LABEL = 13;

/** Width of a value beside its label, in cells. */
export const valueWidth = (width: number): number => Math.max(1, width - LABEL);

/** Rows of a value, with its label before the first one. */
export const fact = (name: string, lines: readonly string[]): readonly string[] =>
	lines.map((line, index) => paint('dim', fit(index === 0 ? name : '', LABEL)) + line);

const startText = ({state, download}: EnvironmentContents): string => {
	if (state === 'build') return 'its first start builds it';
	if (!download) return 'ready';
	const {files, from, allowed} = download;
	return `downloads ${files === 1 ? 'one file' : `${files} files`} from ${label(from, 100)}${allowed ? '' : ', after you confirm'}`;
};

/** Rows about the software of an environment: a header, then text in lines of this width. */
export const contentLines = (contents: EnvironmentContents, width: number): readonly string[] => {
	const {source, python, packages, size, installs} = contents;
	const rows: readonly (readonly [head: string, text: string])[] = [
		['From', label(source, 400)],
		['Python', python == null ? 'unknown' : label(python, 40)],
		['Size', size == null ? 'unknown' : megabytes(size)],
		['At start', startText(contents)],
		...(installs == null ? [] : [['Changes', label(installs, 400)] as const]),
		[
			'Packages',
			packages.map(({name, version}) => label(`${name} ${version ?? ''}`.trim(), 60)).join(', ') || 'none',
		],
	];
	return rows.flatMap(([head, text]) => fact(head, wrap(text, valueWidth(width))));
};
