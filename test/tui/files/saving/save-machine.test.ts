import {expect, test} from 'vitest';
import type {Failure} from '../../../../src/api/failure.ts';
import {textFile} from '../../../../src/tui/files/content.ts';
import {
	baseAfter,
	sidesOf,
	transition,
	type SaveEvent,
	type SaveState,
	type Writing,
} from '../../../../src/tui/files/saving/save-machine.ts';

const file = (content: string) => textFile('a.py', content);
const BASE = file('base');
const THEIRS = file('theirs');
const failure = (fields: Partial<Failure> = {}): Failure => ({
	kind: 'unreachable',
	ambiguous: false,
	method: 'PUT',
	path: '/x',
	message: '',
	...fields,
});
const LOST = failure({ambiguous: true});
const OTHER = failure({kind: 'refused', status: 412});
const REFUSED = failure({kind: 'refused', status: 400});

const DIFF = {at: 'diff', refusal: null} as const;
const CONFLICT = {at: 'conflict', theirs: THEIRS, shown: 'mine'} as const;
const OVERWRITE = {...CONFLICT, at: 'overwrite', refusal: null} as const;
const reading = (question: typeof DIFF | typeof OVERWRITE = DIFF): SaveState => ({at: 'reading', question});
const over = (entry: typeof BASE | null, tag: string | null = '"1"') => ({entry, tag});
const putting = (tag: string | null = '"1"'): SaveState => ({
	at: 'putting',
	question: DIFF,
	over: over(BASE, tag),
});
const checking = (why: Failure, tag: string | null = '"1"'): SaveState => ({
	at: 'checking',
	question: DIFF,
	over: over(BASE, tag),
	failure: why,
});
const saved = (entry = file('mine'), before: typeof BASE | null = BASE): SaveState => ({
	at: 'saved',
	entry,
	before,
});
const read = (content: string | null, own: string | null = null): SaveEvent => ({
	type: 'read',
	found: over(content === null ? null : file(content)),
	own,
});
const readFailed: SaveEvent = {type: 'read', found: {failure: failure()}, own: null};
const putFailed = (why: Failure): SaveEvent => ({type: 'put', reply: {ok: false, failure: why}});

const writing = (state: SaveState, base: Writing['base'] = BASE): Writing => ({
	id: 1,
	server: 's',
	path: 'a.py',
	base,
	mine: 'mine',
	copy: null,
	state,
	rows: [],
});

type Row = readonly [title: string, from: SaveState, event: SaveEvent, to: SaveState];
const user = (type: 'save' | 'keepMine' | 'keepTheirs' | 'showOther' | 'close'): SaveEvent => ({type});
const ROWS: readonly Row[] = [
	['a shown difference is saved: the file is read first', DIFF, user('save'), reading()],
	['a refusal is forgotten when it is tried again', {...DIFF, refusal: 'no'}, user('save'), reading()],
	['a shown difference is given up', DIFF, user('close'), {at: 'left'}],
	['the file is as it was: it is written', reading(), read('base'), putting()],
	[
		'the file holds what our save before left: it is written',
		reading(),
		read('earlier', 'earlier'),
		{at: 'putting', question: DIFF, over: over(file('earlier'))},
	],
	['the file holds this text already', reading(), read('mine'), saved()],
	['another has changed it', reading(), read('theirs'), CONFLICT],
	['another has removed it', reading(), read(null), {at: 'conflict', theirs: null, shown: 'mine'}],
	['it is written', putting(), {type: 'put', reply: {ok: true, value: file('mine')}}, saved()],
	['the answer to the write is lost: what is there is looked at', putting(), putFailed(LOST), checking(LOST)],
	['the tag has changed: what is there is looked at', putting(), putFailed(OTHER), checking(OTHER)],
	['a write without an answer has arrived', checking(LOST), read('mine'), saved()],
	['412, but it was our own write', checking(OTHER), read('mine'), saved()],
	['412, and another was quicker', checking(OTHER), read('theirs'), CONFLICT],
	[
		'412 of a tag that does not follow the content: written without it',
		checking(OTHER),
		read('base'),
		putting(null),
	],
	['a conflict: mine is asked about once more', CONFLICT, user('keepMine'), OVERWRITE],
	['a conflict: theirs stays', CONFLICT, user('keepTheirs'), {at: 'left', theirs: THEIRS}],
	['a conflict: the other difference', CONFLICT, user('showOther'), {...CONFLICT, shown: 'theirs'}],
	['a conflict: neither', CONFLICT, user('close'), {at: 'left'}],
	['not over theirs after all', OVERWRITE, user('close'), CONFLICT],
	['over theirs', OVERWRITE, user('save'), reading(OVERWRITE)],
	[
		'over theirs, which is still there',
		reading(OVERWRITE),
		read('theirs'),
		{at: 'putting', question: OVERWRITE, over: over(THEIRS)},
	],
	[
		'over theirs, which has changed again',
		reading(OVERWRITE),
		read('newer'),
		{at: 'conflict', theirs: file('newer'), shown: 'mine'},
	],
	['a key for another question does nothing', DIFF, user('keepMine'), DIFF],
	['a second save while one is under way does nothing', reading(), user('save'), reading()],
	['a late answer does nothing', CONFLICT, {type: 'put', reply: {ok: true, value: BASE}}, CONFLICT],
];
test.each(ROWS)('%s', (_, from, event, to) => {
	expect(transition(writing(from), event)).toEqual(to);
});

test.each<readonly [string, SaveState, SaveEvent, RegExp]>([
	['the file cannot be read', reading(), readFailed, /^Not saved\. /],
	['the service refuses the write', putting(), putFailed(REFUSED), /^Not saved\. /],
	['the write did not arrive', checking(LOST), read('base'), /^Not saved\. /],
	['a tag is refused twice', checking(OTHER, null), read('base'), /^Not saved\. /],
	[
		'nobody knows',
		checking(LOST),
		readFailed,
		/^The service did not respond, so this may or may not have been saved\. /,
	],
	['something unforeseen', putting(), {type: 'threw', message: 'It broke.'}, /^It broke\.$/],
])('%s: the same question is asked again, with the reason', (_, from, event, reason) => {
	expect(transition(writing(from), event)).toMatchObject({
		at: 'diff',
		refusal: expect.stringMatching(reason) as string,
		// The details are those of the request that caused the error.
		failure: 'message' in event ? undefined : {kind: expect.any(String)},
	});
});

test('a refusal of a write over theirs asks about theirs again', () => {
	expect(transition(writing(reading(OVERWRITE)), readFailed)).toMatchObject({
		at: 'overwrite',
		theirs: THEIRS,
	});
});

test('no event leads out of the end', () => {
	const events: readonly SaveEvent[] = [
		...(['save', 'keepMine', 'keepTheirs', 'showOther', 'close'] as const).map(user),
		read('theirs'),
		putFailed(LOST),
		{type: 'threw', message: ''},
	];
	for (const end of [saved(), {at: 'left'}] as const)
		for (const event of events) expect(transition(writing(end), event)).toBe(end);
});

test('an undo restores the other version if it was overwritten, otherwise the original', () => {
	const put: SaveEvent = {type: 'put', reply: {ok: true, value: file('mine')}};
	expect(transition(writing({at: 'putting', question: OVERWRITE, over: over(THEIRS)}), put)).toMatchObject({
		before: THEIRS,
	});
	expect(transition(writing(putting(), null), put)).toMatchObject({before: null});
});

test('the difference is from the overwritten text to mine, or shows the other changes', () => {
	expect(sidesOf(writing(DIFF))).toEqual(['base', 'mine']);
	expect(sidesOf(writing(DIFF, null))).toEqual(['', 'mine']);
	expect(sidesOf(writing(CONFLICT))).toEqual(['theirs', 'mine']);
	expect(sidesOf(writing({...CONFLICT, shown: 'theirs'}))).toEqual(['base', 'theirs']);
});

test('the next text overwrites the shown one, or the one being saved', () => {
	expect(baseAfter(writing(DIFF))).toBe(BASE);
	expect(baseAfter(writing(CONFLICT))).toBe(THEIRS);
	expect(baseAfter(writing({...CONFLICT, theirs: null}))).toBeNull();
	expect(baseAfter(writing(putting()))).toEqual(file('mine'));
});
