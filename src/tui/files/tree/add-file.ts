import {chooser} from '../../core/dialogs/chooser.tsx';
import {route} from '../../core/store/route.ts';
import {unsavedEdits} from '../saving/unsaved-edits.ts';

const pathOf = (typed: string): string => typed.trim().replace(/^\/+/, '');

/** Asks for the path of a new file, and opens the file in the editor. */
export const addFile = chooser(
	{kind: 'add-file', line: ({server}) => ({field: 'add-file', server})},
	({get}, {server, folder}) => ({
		title: 'New file',
		initial: folder,
		enterLabel: 'write it in your editor',
		choicesFor: () => [],
		empty: "Path from the server's root. Missing folders are created.",
		whyNot: typed => (/(?:^|\/)$/.test(pathOf(typed)) ? 'A file needs a name' : undefined),
		onEnter(typed) {
			route(get).closeDialog();
			void unsavedEdits(get).editFile(server, pathOf(typed));
			return true;
		},
	}),
);
