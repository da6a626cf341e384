import {expect, test} from 'vitest';
import type {Scope} from '../../../../src/tui/core/program.ts';
import '../../../../src/tui/feature-list.ts';
import {keymap} from '../../../../src/tui/core/keys/keymap.ts';
import {canOverlap} from '../../../../src/tui/core/keys/scopes.ts';

/**
 * Keys that the topmost of two groups uses intentionally: the steps of Esc, the suggestions below a
 * field, and replacements in a pane.
 */
const MEANT: ReadonlySet<string> = new Set([
	'esc: viewer.tree, global.back',
	'esc: marks.leave, global.back',
	'esc: notebook.tree, global.back',
	'tab: notebookEdit.complete, anywhere.nextPane',
	'shift+tab: notebookEdit.inspect, anywhere.previousPane',
	'tab: notebookFind.accept, anywhere.nextPane',
	'esc: suggest.close, global.back',
	'esc: comparison.leave, global.back',
	'tab: repl.complete, anywhere.nextPane',
	'tab: completions.next, anywhere.nextPane',
	'shift+tab: completions.previous, anywhere.previousPane',
	'shift+tab: repl.inspect, anywhere.previousPane',
	'tab: assistant.complete, anywhere.nextPane',
	'tab: filter.accept, anywhere.nextPane',
	'tab: find.accept, anywhere.nextPane',
	'tab: cellFind.accept, anywhere.nextPane',
	'tab: suggest.complete, anywhere.nextPane',
	'ctrl+p: suggest.up, anywhere.palette',
	'ctrl+p: suggest.up, global.palette',
	'R: turns.retry, global.refresh',
]);

test('no key does two things in one place, except on purpose', () => {
	const common: ReadonlySet<string> = new Set<Scope>(['always', 'anywhere', 'global']);
	const found = (Object.keys(keymap) as Scope[]).flatMap(scope =>
		(Object.keys(keymap) as Scope[]).flatMap(other => {
			// Lists each pair once, with the common group last.
			if (!canOverlap(scope, other) || scope === other || common.has(scope) || !common.has(other)) return [];
			return keymap[scope].rows.flatMap(row =>
				keymap[other].rows
					.filter(each => each.action !== row.action)
					.flatMap(each =>
						row.keys
							.filter(key => each.keys.includes(key))
							.map(key => `${key}: ${scope}.${row.action}, ${other}.${each.action}`),
					),
			);
		}),
	);
	expect(found.filter(each => !MEANT.has(each))).toEqual([]);
	for (const each of MEANT) expect(found).toContain(each);
});

test('within one group a key does one thing', () => {
	for (const [scope, {rows}] of Object.entries(keymap)) {
		const keys = rows.flatMap(row => row.keys);
		expect([scope, keys.filter((key, index) => keys.indexOf(key) !== index)]).toEqual([scope, []]);
	}
});
