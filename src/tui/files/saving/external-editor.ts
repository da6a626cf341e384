import type {EditTarget} from '../../../storage/unsaved-edits.ts';
import {messageOf} from '../../../text/errors.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';

type FieldKind = Exclude<EditTarget['what'], 'file'>;

/** File names for the edited fields. The extension gives the editor the type of the text. */
const NAMES: Readonly<Record<FieldKind, string>> = {
	question: 'question.md',
	code: 'cell.py',
	output: 'output.txt',
};

export type ExternalEditor = {
	/**
	 * Opens the text of a field in $VISUAL or $EDITOR. Until the text is back in the field, a
	 * recovery copy is stored for the server. Resolves to null if the text is unchanged, or if the
	 * editor failed, which a notice explains.
	 */
	editText(server: string, what: FieldKind, text: string): Promise<string | null>;
};

export const externalEditor = part('externalEditor', ({get, deps: {edit}}: App): ExternalEditor => ({
	async editText(server, what, text) {
		try {
			const edited = await edit({text, name: NAMES[what], isNew: false, about: {what, server}});
			edited.discard();
			// Most editors end a file with a newline, which would become an empty line in the
			// field.
			const given = text.endsWith('\n') ? edited.text : edited.text.replace(/\r?\n$/, '');
			return given === text ? null : given;
		} catch (error) {
			notices(get).notify('bad', messageOf(error));
			return null;
		}
	},
}));
