import {editName, type KeptEdit} from '../../store/kept-edits.ts';
import type {Dialog} from '../../store/route.ts';
import {fuzzyFilter} from '../../text/fuzzy.ts';
import {label} from '../../text/safe.ts';
import {cut, fit} from '../../text/width.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useApp, useGetState} from '../store-context.ts';
import {paint} from '../theme/theme.ts';
import {Chooser, type Choice} from './chooser.tsx';
import {DialogBox} from './dialog-box.tsx';
import {useScrolled} from './use-scrolled.ts';
import {DIFF_WIDTH, diffRow, keyWord} from './write-file.tsx';

const nameOf = (edit: KeptEdit): string => `${editName(edit)} on ${edit.about.server}`;

/** Texts that were written in an editor and not saved. */
export const KeptEdits = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const edits = useApp(state => state.keptEdits);
	const choiceOf = (edit: KeptEdit): Choice => ({text: nameOf(edit), note: new Date(edit.at).toLocaleString('sv').slice(0, 16), choose: () => void get().showEdit(edit)});
	return <Chooser title="Written in an editor and not saved" body={body} choicesFor={typed => fuzzyFilter(typed, edits, nameOf).map(choiceOf)} empty="Nothing here is called that."/>;
};

/** One of them against what it was written over, and what can be done with it. */
export const KeptEditDialog = ({edit, rows, isDiscarding, body}: Extract<Dialog, {readonly kind: 'kept-edit'}> & {readonly body: Rect}) => {
	const get = useGetState();
	const width = Math.min(DIFF_WIDTH, body.width - 4) - 4;
	const {about, path, beside} = edit;
	const isFile = about.what === 'file';
	const head = [`Written on ${new Date(edit.at).toLocaleString('sv').slice(0, 16)} and not saved${edit.before === null ? '; the file was new then' : ''}.`];
	const foot = [
		...beside.map(file => paint('busy', cut(`Its editor has left ${label(file, 300)}`, width))),
		paint('dim', cut(`It is in ${label(path, 300)}`, width)),
		isDiscarding ? `${keyWord('y', 'discard it for good')}   ${keyWord('esc', 'back')}`
			: `${keyWord('y', 'go on with it')}   ${isFile ? `${keyWord('e', 'edit the file as it is')}   ` : ''}${keyWord('x', 'discard')}   ${keyWord('esc', 'leave it')}`,
	];
	const {from, height, more, scroll} = useScrolled(rows.length, Math.max(1, body.height - 3 - head.length - foot.length));
	const discarding = (isDiscarding: boolean): void => get().changeDialog({kind: 'kept-edit', edit, rows, isDiscarding});
	useKeys('keptEdit', {
		...scroll,
		takeUp() {
			get().closeDialog();
			void get().takeUpEdit(edit);
		},
		fresh() {
			if (about.what !== 'file') return 'It belongs to no file: y puts it into its field';
			get().closeDialog();
			void get().editAsItIs(about.server, about.path);
		},
		discard: () => discarding(true),
		close: () => get().closeDialog(),
	});
	useKeys('confirm', {
		yes() {
			get().closeDialog();
			get().discardEdit(edit);
		},
		no: () => discarding(false),
	});
	return <DialogBox title={cut(label(nameOf(edit), 200), width - 4)} body={body} width={DIFF_WIDTH} lines={[...head, ...rows.slice(from, from + height).map(line => diffRow(line, width)), fit(more, width), ...foot]}/>;
};
