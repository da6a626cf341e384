import {pathFault, typedPath} from '../../../contract/paths.ts';
import type {State} from '../../core/program.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {fileSaving} from './saving.ts';
import {route} from '../../core/store/route.ts';

/**
 * Path in a comment on the first line of the code, where assistants write it. Empty if there is
 * none.
 */
const pathIn = (code: string): string =>
	/^\s*(?:#|\/\/|--|<!--)\s*(?:file(?:name)?:\s*)?([\w./-]+\.\w{1,8})\b/i.exec(
		code.split('\n', 1)[0] ?? '',
	)?.[1] ?? '';

/** Paths of the files in the loaded folders of a server. */
export const knownFiles = (state: State, server: string): readonly string[] =>
	[...(state.files.get(server)?.folders.values() ?? [])].flatMap(folder =>
		(folder.value ?? []).filter(leaf => !leaf.isFolder).map(leaf => leaf.path),
	);

/**
 * Asks which file a code block is to be written to. If the file exists, the user sees the
 * difference before it is saved.
 */
export const writePath = chooser(
	{kind: 'write-path', line: ({server}) => ({field: 'write-path', server})},
	({get}, {server, code}) => {
		const propose = (path: string): void => void fileSaving(get).proposeWrite(server, path, code);
		const choicesFor = (typed: string): readonly Choice[] =>
			fuzzyFilter(typed, knownFiles(get(), server), path => path).map(path => ({
				text: path,
				completes: path,
				choose: () => propose(path),
			}));
		return {
			title: 'Write the code to which file of this server?',
			initial: pathIn(code),
			enterLabel: 'write',
			empty: 'No file seen so far has this name.',
			choicesFor,
			onEnter(typed) {
				const path = typedPath(typed.trim());
				if (path === '') return false;
				// Text without a dot or slash selects a known file if one matches. Other text is
				// the path of the file.
				if (!/[./]/.test(path) && choicesFor(typed).length > 0) return false;
				const fault = pathFault(path);
				if (fault !== undefined) return fault;
				route(get).closeDialog();
				propose(path);
				return true;
			},
		};
	},
);
