// A single letter never deletes, overwrites, uploads, stops or spends anything without asking
// first.
import {expect, test} from 'vitest';
import '../../../../src/tui/feature-list.ts';
import {keymap} from '../../../../src/tui/core/keys/keymap.ts';
import {ASKS, QUESTIONS} from '../../../support/asking-actions.ts';

/** Other actions that a single letter may run, each with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
	'requests.cancel': 'a request that is cancelled can be sent again',
	'compute.removeLast': 'removes a part of the filter',
	'notebook.paste': 'undone by one key',
	'servers.signIn': 'opens a connection',
	'tree.edit': 'opens an editor: saving asks',
	'viewer.edit': 'opens an editor: saving asks',
	'viewer.run': 'runs code',
	'viewer.frame': 'runs code that reads the file',
	'viewer.runAll': 'runs code',
	'marks.run': 'runs code',
	'cells.again': 'runs code',
	'cells.allAbove': 'runs code',
	'turns.runBlock': 'runs code',
	'notebook.runNext': 'runs code',
	'notebook.runAll': 'runs code',
	'notebook.save': 'writes what the user edited; a newer file asks',
	'notebook.cut': 'undone by one key',
	'notebook.clearAll': 'undone by one key',
	'cells.drop': 'the code has not run, and stays in the history',
	'turns.retry': 'asks the question on screen again',
	'turns.compare': 'opens the list of models',
	'turns.retryWith': 'opens the list of models',
	'notebook.explain': 'shows what it sends first',
	'cells.explain': 'shows what it sends first',
};

/** Matches labels of actions that need caution. */
const CAREFUL =
	/delet|remov|overwrit|upload|stop|interrupt|shut|restart|rent|create|cancel|discard|\bcut\b|clear all/i;

const isBareLetter = (key: string): boolean => /^\p{L}$/u.test(key);
const entries = Object.entries(keymap)
	.filter(([scope, {isText}]) => !isText && !QUESTIONS.has(scope))
	.flatMap(([scope, {rows}]) => rows.map(row => ({entry: `${scope}.${row.action}`, row})));

test('each letter that writes, deletes, uploads, stops or spends opens a box that asks, or is harmless for a reason', () => {
	const careful = entries
		.filter(({row}) => row.keys.some(isBareLetter))
		.filter(({row: {writes, label, also = ''}}) => writes || CAREFUL.test(`${label} ${also}`))
		.map(({entry}) => entry);
	expect(careful.filter(entry => !(entry in HARMLESS) && !ASKS.has(entry))).toEqual([]);
});

test('the lists of this test name actions that exist', () => {
	const known = new Set(entries.map(({entry}) => entry));
	expect([...ASKS, ...Object.keys(HARMLESS)].filter(entry => !known.has(entry))).toEqual([]);
	for (const scope of QUESTIONS) expect(Object.keys(keymap)).toContain(scope);
});
