import type {StateCreator} from 'zustand/vanilla';
import type {Deps} from './deps.ts';
import type {NoticesSlice} from './notices.ts';

export type ExternalEditorSlice = {
	/**
	 * Lets the user edit what stands in a field with $VISUAL or $EDITOR. `name` ends as a file of that kind would (`question.md`).
	 * Null when it was left as it was or could not be edited; why has been said then.
	 */
	editText(text: string, name: string): Promise<string | null>;
};

export const createExternalEditorSlice = ({edit}: Deps): StateCreator<ExternalEditorSlice & NoticesSlice, [], [], ExternalEditorSlice> => (_, get) => ({
	async editText(text, name) {
		try {
			const edited = await edit(text, name);
			edited.discard();
			// Editors end a file with a newline, which in a field would be an empty line.
			const given = text.endsWith('\n') ? edited.text : edited.text.replace(/\r?\n$/, '');
			return given === text ? null : given;
		} catch (error) {
			get().notify('bad', error instanceof Error ? error.message : String(error));
			return null;
		}
	},
});
