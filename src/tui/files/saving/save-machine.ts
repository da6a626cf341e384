// States and events of a text that is being saved to a file of a server:
//
//   diff ──save──▸ reading ──▸ putting ──▸ saved
//    ▴               │   ▴        │  ▴
//    └──── refused ──┤   │        ▾  └ (only the tag changed)
//                    │   │     checking ──▸ saved, refused
//                    ▾   │        │
//   overwrite ◂mine─ conflict ◂───┘
//    └──save──▸ reading
//
// Pure: `saving.ts` sends the requests and notifies the user.
import {explainFailure, type Failure} from '../../../api/failure.ts';
import type {FileEntry} from '../../../contract/files.ts';
import type {DiffLine} from '../../../text/columns/diff-lines.ts';
import type {EditedText} from '../../core/store/deps.ts';
import {isSameContent, contentOf, hasBytes, sentence, textFile, type Present} from '../content.ts';

/** HTTP status if the tag that was sent is not the file's current tag. */
const OTHER_CONTENT = 412;

/**
 * `theirs`: the file's current content, which differs from the expected content; null if the file
 * was deleted. `shown`: the difference that is visible.
 */
type Theirs = {readonly theirs: FileEntry | null; readonly shown: 'mine' | 'theirs'};
/** `refusal`: reason why the file was not written; `failure`: the failed request. */
type Refusal = {readonly refusal: string | null; readonly failure?: Failure | undefined};
/** Question to the user: "save?", "which version?" after a conflict, or "overwrite?". */
export type Question =
	| ({readonly at: 'diff'} & Refusal)
	| ({readonly at: 'conflict'} & Theirs)
	| ({readonly at: 'overwrite'} & Refusal & Theirs);
type Asked = Exclude<Question, {readonly at: 'conflict'}>;
/**
 * States that wait for the service. `question` is the question that the user answered. If the
 * service refuses, the user is asked again.
 */
export type Saving =
	/** Reads the current content. */
	| {readonly at: 'reading'; readonly question: Asked}
	/** Writes on condition that the content is still `over`. */
	| {readonly at: 'putting'; readonly question: Asked; readonly over: Present}
	/** Reads the content again: the response was lost, or the content was no longer `over`. */
	| {readonly at: 'checking'; readonly question: Asked; readonly over: Present; readonly failure: Failure};
export type SaveState =
	| Question
	| Saving
	/** Saved. `before` was the file's previous content. */
	| {readonly at: 'saved'; readonly entry: FileEntry; readonly before: FileEntry | null}
	/**
	 * Closed without saving. The user's text stays in its recovery copy. `theirs`: the other
	 * version.
	 */
	| {readonly at: 'left'; readonly theirs?: FileEntry | null};

export type SaveEvent =
	| {readonly type: 'save' | 'keepMine' | 'keepTheirs' | 'showOther' | 'close'}
	/** The file was read. `own`: content that an earlier save of this program wrote to the file. */
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
	/** An unexpected error. */
	| {readonly type: 'threw'; readonly message: string};

/** A text that is about to be written to a file of a server. */
export type Writing = {
	/** Distinguishes several texts for one file. */
	readonly id: number;
	readonly server: string;
	readonly path: string;
	/** The file at the start of the edit; null if there was none. */
	readonly base: FileEntry | null;
	readonly mine: string;
	/** The private copy that the user has edited. */
	readonly copy: EditedText | null;
	readonly state: SaveState;
	/** Visible difference. */
	readonly rows: readonly DiffLine[];
};

const isSaving = (state: SaveState): state is Saving =>
	state.at === 'reading' || state.at === 'putting' || state.at === 'checking';

/** The question that the user sees, or that the user answered last. */
export const questionOf = ({state}: Pick<Writing, 'state'>): Question | null => {
	if (isSaving(state)) return state.question;
	return state.at === 'saved' || state.at === 'left' ? null : state;
};

/** True while the service has yet to respond, so the outcome is unknown. */
export const isUnderWay = ({state}: Pick<Writing, 'state'>): boolean => isSaving(state);

/**
 * The other version in a conflict; undefined if the file has not changed, null if it was deleted.
 */
const theirsIn = (question: Question | null): FileEntry | null | undefined =>
	question === null || question.at === 'diff' ? undefined : question.theirs;

/**
 * The file that saving would replace, in the version that the user saw last; null if there was no
 * file.
 */
const knownBefore = ({base, ...writing}: Pick<Writing, 'base' | 'state'>): FileEntry | null => {
	const theirs = theirsIn(questionOf(writing));
	return theirs === undefined ? base : theirs;
};

/** The two texts of the visible difference. */
export const sidesOf = (writing: Pick<Writing, 'base' | 'mine' | 'state'>): readonly [string, string] => {
	const question = questionOf(writing);
	const theirs = theirsIn(question);
	if (question === null || question.at === 'diff' || theirs === undefined)
		return [contentOf(writing.base), writing.mine];
	return question.shown === 'mine'
		? [contentOf(theirs), writing.mine]
		: [contentOf(writing.base), contentOf(theirs)];
};

/**
 * Version that the next edit of the file starts from: the text that is being saved, otherwise the
 * version that the user saw last.
 */
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
			`The service did not respond, so this may or may not have been saved. ${explainFailure(found.failure).next}`,
			found.failure,
		);
	if (hasBytes(found.entry, writing.mine)) return saved(writing, found.entry);
	if (!isSameContent(found.entry, over.entry)) return conflict(found.entry);
	// A tag can change while the content stays the same, so the write is repeated without the tag.
	if (failure.status === OTHER_CONTENT && over.tag !== null)
		return {at: 'putting', question, over: {...over, tag: null}};
	return refused(question, `Not saved. ${sentence({...failure, ambiguous: false})}`, failure);
};

/** The state after an event. Events that mean nothing in the current state leave it unchanged. */
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
