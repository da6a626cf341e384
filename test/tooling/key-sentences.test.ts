import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import {afterEach, expect, test} from 'vitest';
import {keyFor, keysFor} from '../../src/text/key-name.ts';
import type {Scope} from '../../src/tui/core/program.ts';
import '../../src/tui/feature-list.ts';
import {keymap} from '../../src/tui/core/keys/keymap.ts';
import {nameKeys} from '../../src/tui/core/keys/live-keys.ts';
import {noHits} from '../../src/tui/core/components/invitation.ts';

const root = path.join(import.meta.dirname, '../../src');

/** Source files that contain sentences for the screens. */
const sources = [...readdirSync(root, {recursive: true, encoding: 'utf8'})].filter(
	file =>
		/^(tui|text|app)\/.*\.tsx?$/.test(file) &&
		!file.startsWith('tui/core/keys/') &&
		file !== 'tui/core/frame/footer.ts' &&
		file !== 'text/key-name.ts',
);

/**
 * Matches a word that looks like a key: a single letter or mark, a digit with an action, or the
 * name of a key.
 */
const KEY =
	/(?<=^|[\s(,:;])(?:[b-zB-HJ-Z]|[0-9](?= (?:to|its|runs?|asks?|shows?|goes|opens?)\b)|[@?/[\]<>=.]|Esc|esc|Tab|Enter|Space|Ctrl-\S|Alt-\S+|\^[A-Z])(?=[\s,;:)]|$)|\b[aA] (?:shows|creates|puts|opens|adds|asks|runs)\b|\b(?:Up|Down) (?:brings|goes)/;
/** Texts in which such words are not keys: typed text, units, names and code. */
const NO_KEY: readonly RegExp[] = [
	// SQL.
	/^PRAGMA /,
	/@ attaches a file or a cell/,
	/ K(?:[,):]|$)/,
	/ (?:h|s)\b/,
	/cannot be \. or \.\./,
	/number of a cell, from 1 to §$/,
	/^A port is/,
	/press Ctrl-D to end\.\n$/,
	/^(?:print\()?__import__/,
	/^\. /,
	/^npx --yes n /,
	// This key is fixed, as in ssh.
	/^Enter, then ~\. leaves$/,
	/^\? a guessed id/,
	/^server \? $/,
	/^\[ § item/,
	/\(\?[<:!]/,
	// Python.
	/^(?:data = |order = |plt\.|x, y = |y = |names, counts = |pandas\.to_)/,
	/\.str\.replace\(/,
	// HTML's entities and elements.
	/^amp & lt < /,
	/^p div br /,
	// The fields of a Plotly trace.
	/^x y z values /,
	// Tables of LaTeX commands and their characters.
	/^\n\t(?:alpha:α|pm:±) /,
	// This key is read while the screens are hidden.
	/^§\n\nThis is the copied text\./,
	// The name of Esc, which `showKey` draws.
	/^esc$/,
];

type Place = {readonly file: string; readonly text: string};
const sentences: Place[] = [];
const named: Place[] = [];
const painted: Place[] = [];

for (const file of sources) {
	const source = ts.createSourceFile(
		file,
		readFileSync(path.join(root, file), 'utf8'),
		ts.ScriptTarget.Latest,
		true,
		file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
	);
	const visit = (node: ts.Node): void => {
		// Literals in actions and scopes define keys.
		if (ts.isPropertyAssignment(node) && ['keys', 'was', 'where', 'dock'].includes(node.name.getText()))
			return;
		if (ts.isStringLiteralLike(node) && !ts.isImportDeclaration(node.parent))
			sentences.push({file, text: node.text});
		if (ts.isTemplateExpression(node))
			sentences.push({
				file,
				text: node.head.text + node.templateSpans.map(span => `§${span.literal.text}`).join(''),
			});
		if (ts.isJsxText(node)) sentences.push({file, text: node.text});
		if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
			const [first, second, third] = node.arguments;
			if (
				node.expression.text === 'keyOf' &&
				second &&
				third &&
				ts.isStringLiteral(second) &&
				ts.isStringLiteral(third)
			)
				named.push({file, text: `${second.text}.${third.text}`});
			if (
				['keyFor', 'keysFor', 'keyHint'].includes(node.expression.text) &&
				first &&
				ts.isStringLiteral(first)
			)
				named.push({file, text: first.text});
			if (node.expression.text === 'keyHints')
				for (const each of node.arguments)
					each
						.getText()
						.match(/(?<=\[')\w+\.\w+/g)
						?.forEach(text => named.push({file, text}));
			// `/` is also the prompt of a field.
			if (
				node.expression.text === 'paint' &&
				first?.getText() === "'accent'" &&
				second &&
				ts.isStringLiteral(second) &&
				second.text !== '/' &&
				/^(?:.|esc|Tab|Enter)$/.test(second.text)
			)
				painted.push({file, text: second.text});
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
}

afterEach(() => nameKeys({rebound: {}, readOnly: false}));

test('no sentence names a key by its letter: after rebinding it would lie', () => {
	expect(sentences.length).toBeGreaterThan(1000);
	expect(
		sentences.filter(
			({text}) =>
				/[a-z]{3}/.test(text) &&
				KEY.test(text.replaceAll(/`[^`]*`/g, '')) &&
				!NO_KEY.some(each => each.test(text)),
		),
	).toEqual([]);
	expect(painted).toEqual([]);
});

test('every action that a sentence names is in the key table', () => {
	expect(named.length).toBeGreaterThan(50);
	const unknown = named.filter(({text}) => {
		const [scope = '', action] = text.split('.');
		return !Object.hasOwn(keymap, scope) || !keymap[scope as Scope].rows.some(row => row.action === action);
	});
	expect(unknown).toEqual([]);
});

test('sentences follow the settings, and say so where an action has no key left', () => {
	const entries = [...new Set(named.map(({text}) => text))];
	expect(entries.filter(entry => keyFor(entry).endsWith(' has no key]'))).toEqual([]);
	nameKeys({
		rebound: Object.fromEntries(entries.map((entry, at) => [entry, [`ctrl+x ${at}`]])),
		readOnly: false,
	});
	expect(entries.map(keyFor)).toEqual(entries.map((_, at) => `^X ${at}`));
	const {steps} = noHits('options', {clear: 'U', edit: '/'}, {filtering: true, elsewhere: 2});
	expect(steps.map(({key}) => key)).toEqual(
		['filter.killToStart', 'filter.leave', 'anywhere.palette'].map(keyFor),
	);
	nameKeys({
		rebound: {'servers.create': [], 'repl.newline': ['alt+enter', 'ctrl+j', 'ctrl+x ctrl+n']},
		readOnly: false,
	});
	expect(keyFor('servers.create')).toBe('[servers.create has no key]');
	expect(keysFor('repl.newline')).toBe('Alt-Enter or ^J or ^X ^N');
});
