import type {EditTarget} from '../../../storage/unsaved-edits.ts';
import {messageOf} from '../../../text/errors.ts';
import {part, type App} from '../../core/app.ts';
import {notices} from '../../core/store/notices.ts';

type FieldKind = Exclude<EditTarget['what'], 'file'>;

/** Names by whose ending an editor knows what it edits. */
const NAMES: Readonly<Record<FieldKind, string>> = {
	question: 'question.md',
	code: 'cell.py',
	output: 'output.txt',
};

export type ExternalEditor = {
	/**
	 * Lets the user edit what stands in a field with $VISUAL or $EDITOR. It is kept for the server until the field has it.
	 * Null when it was left as it was or could not be edited; why has been said then.
	 */
	editText(server: string, what: FieldKind, text: string): Promise<string | null>;
};

export const externalEditor = part('externalEditor', ({get, deps: {edit}}: App): ExternalEditor => ({
	async editText(server, what, text) {
		try {
			const edited = await edit({text, name: NAMES[what], isNew: false, about: {what, server}});
			edited.discard();
			// Editors end a file with a newline, which in a field would be an empty line.
			const given = text.endsWith('\n') ? edited.text : edited.text.replace(/\r?\n$/, '');
			return given === text ? null : given;
		} catch (error) {
			notices(get).notify('bad', messageOf(error));
			return null;
		}
	},
}));
