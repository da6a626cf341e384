// Syntax colours. A large module: load it when the first code is coloured, not at startup.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import julia from 'highlight.js/lib/languages/julia';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type {CodeRole, Span} from './code-language.ts';
import {decodeEntities} from '../output/entities.ts';

const LANGUAGES = {
	bash,
	cpp,
	css,
	diff,
	dockerfile,
	go,
	ini,
	java,
	javascript,
	json,
	julia,
	lua,
	makefile,
	markdown,
	python,
	r,
	ruby,
	rust,
	sql,
	typescript,
	xml,
	yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

const CLASSES: Readonly<Record<CodeRole, string>> = {
	keyword: 'keyword selector-tag operator doctag name bullet',
	title: 'section title strong',
	string: 'string regexp code link symbol emphasis',
	number: 'template-variable number literal variable',
	comment: 'comment quote',
	type: 'attr attribute type built_in class property selector-class selector-id',
	meta: 'meta tag',
	added: 'addition',
	removed: 'deletion',
};
const ROLES = new Map(
	Object.entries(CLASSES).flatMap(([role, names]) =>
		names.split(' ').map(name => [name, role as CodeRole] as const),
	),
);

const roleOf = (classes: string): CodeRole | null =>
	ROLES.get(classes.split(' ')[0]?.replace('hljs-', '') ?? '') ?? null;

/** Coloured spans of each line. `isOpen`: true if the text ends inside a string or comment. */
export const highlightLines = (
	lines: readonly string[],
	language: string,
): {readonly spans: readonly (readonly Span[])[]; readonly isOpen: boolean} => {
	const {value, _top: top} = hljs.highlight(lines.join('\n'), {language, ignoreIllegals: true});
	const spans: Span[][] = [[]];
	const roles: (CodeRole | null)[] = [];
	let column = 0;
	for (const [, classes, isEnd, raw = ''] of value.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
		if (classes !== undefined) {
			roles.push(roleOf(classes) ?? roles.at(-1) ?? null);
			continue;
		}
		if (isEnd !== undefined) {
			roles.pop();
			continue;
		}
		const role = roles.at(-1) ?? null;
		for (const [index, part] of raw.split('\n').entries()) {
			if (index > 0) {
				spans.push([]);
				column = 0;
			}
			const {length} = decodeEntities(part);
			if (role !== null && length > 0) spans.at(-1)?.push([column, column + length, role]);
			column += length;
		}
	}
	return {spans, isOpen: top !== undefined && 'parent' in top && Boolean(top.parent)};
};
