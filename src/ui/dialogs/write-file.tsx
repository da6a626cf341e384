import type {Writing} from '../../store/writing.ts';
import type {DiffLine} from '../../text/diff-lines.ts';
import {label, lineFrom} from '../../text/safe.ts';
import {cellWidth, cut, fit} from '../../text/width.ts';
import {wrap} from '../../text/wrap.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint, paintCode} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';
import {useScrolled} from './use-scrolled.ts';

/** Cells of a dialog that shows a difference, where there is room. */
export const DIFF_WIDTH = 130;
/** UTF-16 units of a line that are shown. */
const LONGEST = 2000;

export const keyWord = (name: string, words: string): string => `${paint('accent', name)} ${words}`;

export const diffRow = ({kind, text}: DiffLine, width: number): string => {
	if (kind === 'note') return paint('dim', text);
	if (kind === 'at') return paint('dim', `${glyph.rule.repeat(2)} ${text} ${glyph.rule.repeat(Math.max(0, width - cellWidth(text) - 4))}`);
	const shown = cut(`${{same: ' ', added: '+', removed: '-'}[kind]} ${lineFrom(text.replace(/\r$/, '').slice(0, LONGEST), 0)}${text.endsWith('\r') ? '^M' : ''}`, width);
	return kind === 'same' ? shown : paintCode(kind, shown);
};

const GONE = `${keyWord('y', 'save it anew')}   ${keyWord('esc', 'back')}`;
const WORDS: Readonly<Record<Writing['stage'], string>> = {
	diff: `${keyWord('y', 'save')}   ${keyWord('e', 'edit again')}   ${keyWord('esc', 'do not save')}`,
	conflict: `${keyWord('m', 'mine')}   ${keyWord('t', 'theirs')}   ${keyWord('e', 'edit again')}   ${keyWord('Tab', 'other difference')}   ${keyWord('esc', 'leave it')}`,
	overwrite: `${keyWord('y', 'write over what another has written')}   ${keyWord('esc', 'back')}`,
};

/** What stands above the difference: what it is, in words. */
const headOf = ({stage, shown, base, theirs}: Writing): readonly string[] => {
	if (stage === 'diff') return base === null ? ['This file is new.'] : [];
	if (theirs === null) return [paint('bad', 'This file is gone from the server since you read it. Keep yours to save it anew.'), 'Yours, as it would be saved:'];
	return [paint('bad', 'This file was changed by another since you read it.'), shown === 'mine' ? 'From theirs to yours:' : 'What they have changed:'];
};

/** What would be written to a file, line by line; of a conflict both versions and what can be done. */
export const WriteFile = ({writing, body}: {readonly writing: Writing; readonly body: Rect}) => {
	const get = useGetState();
	const width = Math.min(DIFF_WIDTH, body.width - 4) - 4;
	const {path, rows, stage, refusal, copy, isSaving} = writing;
	const head = headOf(writing);
	const foot = [
		...(refusal === null ? [] : wrap(label(refusal, 600), width).map(line => paint('bad', line))),
		...(copy === null ? [] : [paint('dim', cut(`What you wrote is in ${label(copy.path, 300)}`, width))]),
		isSaving ? paint('busy', 'saving …') : stage === 'overwrite' && writing.theirs === null ? GONE : WORDS[stage],
	];
	const room = Math.max(1, body.height - 3 - head.length - foot.length);
	const {from, height, more, scroll} = useScrolled(rows.length, room);
	const acts = {
		edit: () => void get().editAgain(),
		close: () => get().leaveWriting(),
	};
	const save = (): void => void get().saveWriting();
	useKeys('writing', {...scroll, ...acts, save});
	useKeys('confirm', {yes: save, no: acts.close});
	useKeys('conflict', {
		...scroll, ...acts,
		mine: () => get().keepMine(),
		theirs: () => (writing.theirs === null ? 'There is nothing of theirs to keep: the file is gone' : get().keepTheirs()),
		other: () => (writing.theirs === null ? 'There is only yours: the file is gone' : void get().showOther()),
	});
	const lines = rows.slice(from, from + height).map(line => diffRow(line, width));
	return <DialogBox title={cut(`${stage === 'diff' ? 'Save' : 'Changed by another:'} ${label(path, 200)}${stage === 'diff' ? '?' : ''}`, width - 4)} body={body} width={DIFF_WIDTH} lines={[...head, ...lines, fit(more, width), ...foot]}/>;
};

/** What is on the server now against what was read before. */
export const Difference = ({path, rows, body}: {readonly path: string; readonly rows: readonly DiffLine[]; readonly body: Rect}) => {
	const get = useGetState();
	const width = Math.min(DIFF_WIDTH, body.width - 4) - 4;
	const {from, height, more, scroll} = useScrolled(rows.length, Math.max(1, body.height - 4));
	useKeys('reader', {...scroll, close: () => get().closeDialog()});
	return <DialogBox title={cut(`${label(path, 200)}: from what you see to what the server has`, width - 4)} body={body} width={DIFF_WIDTH} lines={[...rows.slice(from, from + height).map(line => diffRow(line, width)), fit(more, width), paint('dim', 'R in the viewer reads it again')]}/>;
};
