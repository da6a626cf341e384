import {pathFault, typedPath} from '../../../contract/paths.ts';
import type {State} from '../../core/program.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import type {Rect} from '../../core/frame/layout.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {useGetState} from '../../core/store-context.ts';
import {Chooser, type Choice} from '../../core/dialogs/chooser.tsx';

/** A path in a comment on the first line of the code, as assistants write it. */
const pathIn = (code: string): string =>
	/^\s*(?:#|\/\/|--|<!--)\s*(?:file(?:name)?:\s*)?([\w./-]+\.\w{1,8})\b/i.exec(
		code.split('\n', 1)[0] ?? '',
	)?.[1] ?? '';

/** Files of a server that are known so far. */
export const knownFiles = (state: State, server: string): readonly string[] =>
	[...(state.files.get(server)?.folders.values() ?? [])].flatMap(folder =>
		(folder.value ?? []).filter(leaf => !leaf.isFolder).map(leaf => leaf.path),
	);

/** Asks for the file that a code block is to be written to; what is there is shown against it before. */
export const WritePath = ({
	server,
	code,
	body,
}: {
	readonly server: string;
	readonly code: string;
	readonly body: Rect;
}) => {
	const get = useGetState();
	const propose = (path: string): void => void get().proposeWrite(server, path, code);
	const choiceOf = (path: string): Choice => ({text: path, completes: path, choose: () => propose(path)});
	const choicesFor = (typed: string): readonly Choice[] =>
		fuzzyFilter(typed, knownFiles(get(), server), path => path).map(choiceOf);
	const onEnter = (typed: string): string | boolean => {
		const path = typedPath(typed.trim());
		if (path === '') return false;
		// What is typed is a file of its own unless it is the beginning of the one under the cursor.
		if (!/[./]/.test(path) && choicesFor(typed).length > 0) return false;
		const fault = pathFault(path);
		if (fault !== undefined) return fault;
		get().closeDialog();
		propose(path);
		return true;
	};
	return (
		<Chooser
			title="Write the code to which file of this server?"
			body={body}
			width={70}
			choicesFor={choicesFor}
			onEnter={onEnter}
			initial={pathIn(code)}
			empty={`${keyFor('chooser.accept')} makes a new file of this name.`}
		/>
	);
};
