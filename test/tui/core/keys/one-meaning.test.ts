// A letter has the same meaning on every screen, except for the pairs below. Excluded are dialogs
// that ask a question and small dialogs with their own letters.
import {expect, test} from 'vitest';
import '../../../../src/tui/feature-list.ts';
import {LEADER_GROUPS} from '../../../../src/tui/core/keys/leader.ts';
import {keymap} from '../../../../src/tui/core/keys/keymap.ts';
import {searchedKey} from '../../../../src/tui/core/keys/live-keys.ts';
import {QUESTIONS} from '../../../support/asking-actions.ts';

/** Scopes of dialogs whose letters answer a question or change a picture. */
const OWN_LETTERS: ReadonlySet<string> = new Set([...QUESTIONS, 'tableChart', 'picture']);

/** The meaning of each letter, and the actions that have that meaning. */
const MEANINGS: Readonly<Record<string, string>> = {
	a: 'add: tree.add notebook.addAbove turns.putBlock',
	A: 'run all: viewer.runAll notebook.runAll cells.allAbove',
	b: 'add below: notebook.addBelow turns.addCell',
	c: 'create: servers.create compute.create environments.create',
	C: 'compare: compute.compare turns.compare',
	D: 'differences: compute.changes viewer.compare notebook.compare turns.changeCell',
	e: 'edit: tree.edit viewer.edit notebook.editor cells.change turns.editQuestion tableRows.format',
	E: 'explain: notebook.explain cells.explain',
	F: 'fold: notebook.fold cells.fold',
	h: 'left: *.left *.fold',
	H: 'first row as the head: tableRows.otherHead',
	i: 'into: servers.detail cells.edit turns.edit reader.close tableRows.facts',
	j: 'down: *.down',
	J: 'the other side: environments.scrollDown notebook.markDown',
	k: 'up: *.up',
	K: 'the other side: environments.scrollUp notebook.markUp',
	f: 'facet, column or failed ones only: tableRows.goTo requests.failed',
	g: 'top: *.first',
	G: 'end: *.last',
	l: 'right: *.right tree.open',
	L: 'sign in: servers.signIn',
	m: 'mark: compute.mark viewer.mark marks.leave',
	M: 'merge: notebook.merge',
	n: 'next match: *.nextMatch *.findNext',
	N: 'previous match: *.previousMatch *.findPrevious',
	o: 'open what it names: servers.addresses addresses.open viewer.outside cells.place turns.place notebook.hide',
	O: 'again with another model: turns.retryWith',
	p: 'path: tree.path viewer.path',
	P: 'picture: *.picture tableRows.chart',
	q: 'close: global.quit *.close',
	r: 'run: viewer.run marks.run notebook.runNext cells.again turns.runBlock',
	R: 'again: global.refresh turns.retry tableRows.reload variables.reload',
	s: 'start: *.start',
	S: 'save the picture: *.savePicture',
	t: 'table: *.table variables.open',
	T: 'thinking: *.thinking',
	u: 'undo: compute.removeLast notebook.undo',
	U: 'clear the filter: *.showAll',
	v: 'another view: compute.group viewer.raw cells.pager turns.raw',
	V: 'as text: notebook.text',
	w: 'write to: offline.save cells.toNotebook turns.writeBlock',
	W: 'wrap: viewer.wrap',
	x: 'take out of here: notebook.cut cells.drop requests.cancel messages.clear tableRows.hide',
	X: 'bring back: tableRows.unhide',
	y: 'copy: *.copy *.copySource *.copyBlock *.copyAnswer *.copyPath',
	Y: 'copy the longer form: *.copyWithToken *.copyOutput *.copyAnswer notebook.copy',
	z: 'zoom: global.zoom',
};

/** Letters with a second meaning: those of Jupyter in a notebook, and two from the design. */
const PAIRS: Readonly<Record<string, string>> = {
	c: 'copy: notebook.copyCell evidence.copy requests.copy',
	m: 'Markdown: notebook.markdown',
	r: 'restart, all regions: kernels.restart compareOptions.regions',
	s: 'save: notebook.save',
	T: 'whole table: viewer.frame',
	v: 'paste: notebook.paste',
	x: 'shut down: kernels.shutDown',
	y: 'code: notebook.code',
};

const has = (meaning: string | undefined, entry: string): boolean =>
	(meaning?.replace(/^.*?: /, '').split(' ') ?? []).some(
		each => each === entry || (each.startsWith('*.') && entry.endsWith(each.slice(1))),
	);

const entries = Object.entries(keymap).flatMap(([scope, {rows, isText}]) =>
	isText ? [] : rows.map(row => ({scope, entry: `${scope}.${row.action}`, keys: row.keys})),
);

test('each letter has one meaning, or one of the named pairs', () => {
	const other = entries
		.filter(({scope}) => !OWN_LETTERS.has(scope))
		.flatMap(({entry, keys}) => keys.filter(key => /^\p{L}$/u.test(key)).map(key => `${key} ${entry}`))
		.filter(each => {
			const [key = '', entry = ''] = each.split(' ');
			return !has(MEANINGS[key], entry) && !has(PAIRS[key], entry);
		});
	expect(other).toEqual([]);
});

test('the named meanings are those of the key table', () => {
	const known = new Set(entries.map(({entry}) => entry));
	const named = [...Object.values(MEANINGS), ...Object.values(PAIRS)]
		.flatMap(each => each.replace(/^.*?: /, '').split(' '))
		.filter(each => !each.startsWith('*.'));
	expect(named.filter(entry => !known.has(entry))).toEqual([]);
});

/** Names of the actions that each letter runs after the leader. */
const AFTER_LEADER: Readonly<Record<string, string>> = {
	n: 'duplicate add',
	s: 'save',
	R: 'move',
	d: 'remove',
	'+': 'makeFolder',
	e: 'edit editor external change editQuestion',
	u: 'upload',
	o: 'download',
	w: 'save writeBlock',
	O: 'outside place',
	enter: 'run runNext again runBlock',
	x: 'run',
	A: 'runAll allAbove',
	'.': 'stop shutDown',
	v: 'variables',
	'@': 'attach',
	m: 'model',
	t: 'tray',
	a: 'compare',
	h: 'conversations',
};

test('a letter after the leader does the same wherever it acts', () => {
	const found = Object.values(keymap)
		.flatMap(({rows}) => rows)
		.flatMap(({action, keys}) => keys.map(searchedKey).map(key => ({action, key})))
		.filter(({key}) => key.startsWith('ctrl+x '));
	const letters = new Set(LEADER_GROUPS.flatMap(({entries: all}) => all.flatMap(({keys}) => keys)));
	const mixed = [...letters].flatMap(letter => {
		const actions = new Set(found.filter(({key}) => key === `ctrl+x ${letter}`).map(({action}) => action));
		const meant = AFTER_LEADER[letter]?.split(' ');
		return [...actions]
			.filter(action => (meant === undefined ? actions.size > 1 : !meant.includes(action)))
			.map(action => `${letter} ${action}`);
	});
	expect(mixed).toEqual([]);
});
