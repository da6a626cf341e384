import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {megabytes} from '../../../text/size.ts';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import {keyFor} from '../../core/keys/live-keys.ts';
import {notebookSaving} from '../save.ts';

/** Asks whether to save outputs that make the file large. */
export const saveLarge = question({
	kind: 'save-large',
	onYes: (get, {file}) => void notebookSaving(get).saveNotebook(file),
	Dialog: ({file, size, body}) => (
		<QuestionBox
			title="Save all outputs?"
			body={body}
			text={width =>
				wrap(
					`The outputs in ${label(file.path, 100)} take up ${megabytes(size)}. ${keyFor('notebook.clear')} clears those of a cell, ${keyFor('notebook.clearAll')} all of them.`,
					width,
				)
			}
			yes="save"
			no="do not save"
		/>
	),
});
