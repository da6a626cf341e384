import type {EditTarget} from '../../../storage/unsaved-edits.ts';
import {messageOf} from '../../../text/errors.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';

type FieldKind = Exclude<EditTarget['what'], 'file'>;

/** File names whose extension tells the editor what it edits. */
const NAMES: Readonly<Record<FieldKind, string>> = {
	question: 'question.md',
	code: 'cell.py',
	output: 'output.txt',
};

export type ExternalEditor = {
	/**
	 * Opens the text of a field in $VISUAL or $EDITOR. The copy is stored for the server until the
	 * field has it. Null if the text is unchanged or could not be edited, which a notice explains.
	 */
	editText(server: string, what: FieldKind, text: string): Promise<string | null>;
};

export const externalEditor = part('externalEditor', ({get, deps: {edit}}: App): ExternalEditor => ({
	async editText(server, what, text) {
		try {
			const edited = await edit({text, name: NAMES[what], isNew: false, about: {what, server}});
			edited.discard();
			// Editors end a file with a newline, which would be an empty line in a field.
			const given = text.endsWith('\n') ? edited.text : edited.text.replace(/\r?\n$/, '');
			return given === text ? null : given;
		} catch (error) {
			notices(get).notify('bad', messageOf(error));
			return null;
		}
	},
}));
