// A text on its way to a file of a server, as one machine: what it waits for, what may happen then, and where that leads. Pure: `writing-slice.ts`
// asks the service and tells the user.
//
//   diff ──save──▸ reading ──▸ putting ──▸ saved
//    ▴               │   ▴        │  ▴
//    └──── refused ──┤   │        ▾  └ (a tag that does not follow the content)
//                    │   │     checking ──▸ saved, refused
//                    ▾   │        │
//   overwrite ◂mine─ conflict ◂───┘
//    └──save──▸ reading
import {explainFailure, type Failure} from '../../../api/failure.ts';
import type {FileEntry} from '../../../contract/files.ts';
import type {DiffLine} from '../../../text/columns/diff-lines.ts';
import type {EditedText} from '../../core/store/deps.ts';
import {isSameContent, contentOf, hasBytes, sentence, textFile, type Present} from '../content.ts';

/** The service refuses a save since the file holds something else than its tag says. */
const OTHER_CONTENT = 412;

/** What stands there now, when it is not what it was: null is gone. `shown`: which of the two differences. */
type Theirs = {readonly theirs: FileEntry | null; readonly shown: 'mine' | 'theirs'};
/** `refusal`: why it was not written; `failure`: of the call that said so. */
type Refusal = {readonly refusal: string | null; readonly failure?: Failure | undefined};
/** The user is asked: whether it is written, what to do about another's change, whether it is written over that. */
export type Question =
	| ({readonly at: 'diff'} & Refusal)
	| ({readonly at: 'conflict'} & Theirs)
	| ({readonly at: 'overwrite'} & Refusal & Theirs);
type Asked = Exclude<Question, {readonly at: 'conflict'}>;
/** The service is asked. `question` is what the user answered, and is asked again when it is refused. */
export type Saving =
	/** What is there? */
	| {readonly at: 'reading'; readonly question: Asked}
	/** Write it, as long as what is there is `over`. */
	| {readonly at: 'putting'; readonly question: Asked; readonly over: Present}
	/** What has become of it? The answer was lost, or another was quicker. */
	| {readonly at: 'checking'; readonly question: Asked; readonly over: Present; readonly failure: Failure};
export type SaveState =
	| Question
	| Saving
	/** It stands there, in place of `before`. */
	| {readonly at: 'saved'; readonly entry: FileEntry; readonly before: FileEntry | null}
	/** Given up, for another's version where there is one: what was written stays in its copy. */
	| {readonly at: 'left'; readonly theirs?: FileEntry | null};

export type SaveEvent =
	| {readonly type: 'save' | 'keepMine' | 'keepTheirs' | 'showOther' | 'close'}
	/** What is there. `own`: what a save of ours before this one has left there. */
	| {
			readonly type: 'read';
			readonly found: Present | {readonly failure: Failure};
			readonly own: string | null;
	  }
	| {
			readonly type: 'put';
			readonly reply:
				{readonly ok: true; readonly value: FileEntry} | {readonly ok: false; readonly failure: Failure};
	  }
	/** Something that nobody foresaw. */
	| {readonly type: 'threw'; readonly message: string};

/** A text that is about to be written to a file of a server. */
export type Writing = {
	/** Tells one from another of the same file. */
	readonly id: number;
	readonly server: string;
	readonly path: string;
	/** The file as it was when the work on it began; null: there was none. */
	readonly base: FileEntry | null;
	readonly mine: string;
	/** The private copy that an editor worked on. */
	readonly copy: EditedText | null;
	readonly state: SaveState;
	/** The difference that is shown. */
	readonly rows: readonly DiffLine[];
};

const isSaving = (state: SaveState): state is Saving =>
	state.at === 'reading' || state.at === 'putting' || state.at === 'checking';

/** What its dialog asks or asked last. */
export const questionOf = ({state}: Pick<Writing, 'state'>): Question | null => {
	if (isSaving(state)) return state.question;
	return state.at === 'saved' || state.at === 'left' ? null : state;
};

/** The service is asked, and it is not known yet what comes of it. */
export const isUnderWay = ({state}: Pick<Writing, 'state'>): boolean => isSaving(state);

/** Undefined: nobody has changed it. */
const theirsIn = (question: Question | null): FileEntry | null | undefined =>
	question === null || question.at === 'diff' ? undefined : question.theirs;

/** The file that a text would be written over, as far as the user knows it; null: there is none. */
const knownBefore = ({base, ...writing}: Pick<Writing, 'base' | 'state'>): FileEntry | null => {
	const theirs = theirsIn(questionOf(writing));
	return theirs === undefined ? base : theirs;
};

/** From what to what the difference goes that is shown. */
export const sidesOf = (writing: Pick<Writing, 'base' | 'mine' | 'state'>): readonly [string, string] => {
	const question = questionOf(writing);
	const theirs = theirsIn(question);
	if (question === null || question.at === 'diff' || theirs === undefined)
		return [contentOf(writing.base), writing.mine];
	return question.shown === 'mine'
		? [contentOf(theirs), writing.mine]
		: [contentOf(writing.base), contentOf(theirs)];
};

/** What the next text for the file is written over: another's version was shown, and what is being saved counts as there. */
export const baseAfter = (writing: Writing): FileEntry | null =>
	isUnderWay(writing) ? textFile(writing.path, writing.mine) : knownBefore(writing);

const saved = (writing: Writing, entry: FileEntry): SaveState => ({
	at: 'saved',
	entry,
	before: theirsIn(questionOf(writing)) ?? writing.base,
});
const refused = (question: Asked, refusal: string, failure?: Failure): SaveState => ({
	...question,
	refusal,
	failure,
});
const conflict = (theirs: FileEntry | null): SaveState => ({at: 'conflict', theirs, shown: 'mine'});

const afterReading = (
	writing: Writing,
	{question}: Extract<Saving, {readonly at: 'reading'}>,
	{found, own}: Extract<SaveEvent, {readonly type: 'read'}>,
): SaveState => {
	if ('failure' in found) return refused(question, `Not saved. ${sentence(found.failure)}`, found.failure);
	if (isSameContent(found.entry, knownBefore(writing)) || hasBytes(found.entry, own))
		return {at: 'putting', question, over: found};
	if (hasBytes(found.entry, writing.mine)) return saved(writing, found.entry);
	return conflict(found.entry);
};

const afterChecking = (
	writing: Writing,
	{question, over, failure}: Extract<Saving, {readonly at: 'checking'}>,
	{found}: Extract<SaveEvent, {readonly type: 'read'}>,
): SaveState => {
	if ('failure' in found)
		return refused(
			question,
			`The service did not answer, so it is not known whether this was saved. ${explainFailure(found.failure).next}`,
			found.failure,
		);
	if (hasBytes(found.entry, writing.mine)) return saved(writing, found.entry);
	if (!isSameContent(found.entry, over.entry)) return conflict(found.entry);
	// Tags that do not follow the content say nothing about it.
	if (failure.status === OTHER_CONTENT && over.tag !== null)
		return {at: 'putting', question, over: {...over, tag: null}};
	return refused(question, `Not saved. ${sentence({...failure, ambiguous: false})}`, failure);
};

/** The state after an event; the same one where the event means nothing. */
export const transition = (writing: Writing, event: SaveEvent): SaveState => {
	const {state} = writing;
	switch (event.type) {
		case 'save':
			return state.at === 'diff' || state.at === 'overwrite'
				? {at: 'reading', question: {...state, refusal: null}}
				: state;
		case 'read':
			if (state.at === 'reading') return afterReading(writing, state, event);
			return state.at === 'checking' ? afterChecking(writing, state, event) : state;
		case 'put': {
			if (state.at !== 'putting') return state;
			const {question, over} = state;
			const {reply} = event;
			if (reply.ok) return saved(writing, reply.value);
			return reply.failure.ambiguous || reply.failure.status === OTHER_CONTENT
				? {at: 'checking', question, over, failure: reply.failure}
				: refused(question, `Not saved. ${sentence(reply.failure)}`, reply.failure);
		}
		case 'threw':
			return isSaving(state) ? refused(state.question, event.message) : state;
		case 'keepMine':
			return state.at === 'conflict' ? {...state, at: 'overwrite', refusal: null} : state;
		case 'keepTheirs':
			return state.at === 'conflict' ? {at: 'left', theirs: state.theirs} : state;
		case 'showOther':
			return state.at === 'conflict' ? {...state, shown: state.shown === 'mine' ? 'theirs' : 'mine'} : state;
		case 'close':
			if (state.at === 'overwrite') return {at: 'conflict', theirs: state.theirs, shown: state.shown};
			return state.at === 'diff' || state.at === 'conflict' ? {at: 'left'} : state;
	}
};
