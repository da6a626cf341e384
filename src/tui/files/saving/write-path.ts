import {pathFault, typedPath} from '../../../contract/paths.ts';
import type {State} from '../../core/program.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {fileSaving} from './saving.ts';
import {route} from '../../core/store/route.ts';

/** A path in a comment on the first line of the code, as assistants write it. */
const pathIn = (code: string): string =>
	/^\s*(?:#|\/\/|--|<!--)\s*(?:file(?:name)?:\s*)?([\w./-]+\.\w{1,8})\b/i.exec(
		code.split('\n', 1)[0] ?? '',
	)?.[1] ?? '';

/** Known files of a server. */
export const knownFiles = (state: State, server: string): readonly string[] =>
	[...(state.files.get(server)?.folders.values() ?? [])].flatMap(folder =>
		(folder.value ?? []).filter(leaf => !leaf.isFolder).map(leaf => leaf.path),
	);

/**
 * Asks for the file that a code block is to be written to. The text is compared with an existing
 * file first.
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
				// The typed text is a new file unless it is a prefix of the selected file.
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
