import {nameOf, pathFault, typedPath} from '../../../contract/paths.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {asking} from '../../core/components/remote-line.ts';
import type {State} from '../../core/program.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {paint} from '../../core/theme/theme.ts';
import {chooser} from '../../core/dialogs/chooser.tsx';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import {notices} from '../../core/store/notices.ts';
import {fileChanges} from './file-operations.ts';

/** Number of entries in a folder; `asking`: still being counted; `unknown`: cannot be counted. */
export type FolderContents = number | 'asking' | 'unknown';

/**
 * Target path from typed text. A typed path that ends with a slash is the folder to move into. A
 * sentence if the text is not a valid path.
 */
const goalOf = (typed: string, name: string): {readonly path: string} | string => {
	const path = typedPath(/(?:^|\/)$/.test(typed) && typed !== '' ? `${typed}${name}` : typed);
	if (path === '') return 'It needs a name';
	return pathFault(path) ?? {path};
};

type Asked = {readonly kind: 'move-file' | 'make-folder'; readonly isSent?: boolean};
/**
 * Sends the request. The dialog stays open until the response arrives. If the request fails, the
 * dialog keeps the typed text.
 */
const send = (
	get: () => State,
	dialog: Asked & State['dialogs'][number],
	order: () => Promise<string | void>,
): void => {
	const isOpen = (): boolean => {
		const top = get().dialogs.at(-1);
		return top?.kind === dialog.kind && 'isSent' in top && top.isSent === true;
	};
	route(get).changeDialog({...dialog, isSent: true});
	void order().then(problem => {
		const top = get().dialogs.at(-1);
		if (!isOpen() || top === undefined) {
			if (typeof problem === 'string') notices(get).notify('bad', problem);
			return;
		}
		if (problem === undefined) return route(get).closeDialog();
		route(get).changeDialog({...top, isSent: false} as typeof dialog);
		notices(get).notify('bad', problem);
	});
};
const WAIT = 'The request is still in progress';

/** Asks for the new path of a file or folder. */
export const moveFile = chooser({kind: 'move-file'}, ({get}, dialog) => {
	const {server, path, isFolder, isSent} = dialog;
	const name = nameOf(path);
	return {
		title: `Rename or move ${label(name, 40)}`,
		initial: path,
		enterLabel: 'rename',
		choicesFor: () => [],
		empty: isSent ? 'waiting for the server …' : 'End the path with a slash to keep its name.',
		whyNot(typed) {
			if (isSent) return WAIT;
			const goal = goalOf(typed.trim(), name);
			if (typeof goal === 'string') return goal;
			if (goal.path === path) return 'This is its current name';
			return isFolder && goal.path.startsWith(`${path}/`) ? 'A folder cannot be put into itself' : undefined;
		},
		onEnter(typed) {
			const goal = goalOf(typed.trim(), name);
			if (typeof goal === 'string') return goal;
			send(get, topDialog(get(), 'move-file') ?? dialog, async () =>
				fileChanges(get).moveFile(server, path, goal.path),
			);
			return true;
		},
	};
});

/** Asks for the path of a new folder. */
export const makeFolder = chooser({kind: 'make-folder'}, ({get}, dialog) => {
	const {server, above, isSent} = dialog;
	return {
		title: 'New folder',
		initial: above === '' ? '' : `${above}/`,
		enterLabel: 'make it',
		choicesFor: () => [],
		empty: isSent ? 'waiting for the server …' : "Path from the server's root. Missing folders are created.",
		whyNot(typed) {
			if (isSent) return WAIT;
			const path = typedPath(typed.trim());
			return path === '' || (above !== '' && path === above) ? 'A folder needs a name' : pathFault(path);
		},
		onEnter(typed) {
			const path = typedPath(typed.trim());
			send(get, topDialog(get(), 'make-folder') ?? dialog, async () =>
				fileChanges(get).makeFolder(server, path),
			);
			return true;
		},
	};
});

const inside = (holds: FolderContents): string => {
	if (holds === 'asking') return asking('the server', 'what is in it');
	if (holds === 'unknown') return 'Its contents are unknown; everything in it is deleted too.';
	if (holds === 0) return 'It is empty.';
	return `It holds ${holds.toLocaleString('en')} ${holds === 1 ? 'entry' : 'entries'}; everything in it is deleted too.`;
};

/** Asks before a file or folder is deleted. */
export const removeFile = question({
	kind: 'remove-file',
	whyNot: ({holds}) =>
		holds === 'asking' ? 'Still counting its contents. Try again in a moment' : undefined,
	onYes(get, {server, path}) {
		void fileChanges(get)
			.removeFile(server, path)
			.then(problem => {
				if (typeof problem === 'string') notices(get).notify('bad', problem);
			});
	},
	Dialog: ({path, isFolder, holds, body}) => (
		<QuestionBox
			title={isFolder ? 'Delete this folder?' : 'Delete this file?'}
			body={body}
			text={width => [
				...wrap(label(path, 300), width).slice(0, 5),
				'',
				...(isFolder
					? wrap(inside(holds), width).map(line => (holds === 0 ? line : paint('busy', line)))
					: []),
				...wrap('This cannot be undone, unless the server has its own trash.', width),
			]}
			yes="delete"
		/>
	),
});
