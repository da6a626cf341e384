import {pathFault, typedPath} from '../../../contract/paths.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyHints} from '../../core/components/key-hint.ts';
import {asking} from '../../core/components/remote-line.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import type {Rect, State} from '../../core/program.ts';
import type {KeyHandlers} from '../../core/room.ts';
import {topDialog} from '../../core/store/route.ts';
import {paint} from '../../core/theme/theme.ts';
import {chooser} from '../../core/dialogs/chooser.tsx';
import {DialogBox} from '../../core/dialogs/dialog-box.tsx';

const WIDTH = 72;

/** What is in a folder: how many entries; not known yet; not to be known. */
export type Holds = number | 'asking' | 'unknown';

/** A path that is typed: below a folder when it ends with a slash. A sentence in place of it says why it is none. */
const goalOf = (typed: string, name: string): {readonly path: string} | string => {
	const path = typedPath(/(?:^|\/)$/.test(typed) && typed !== '' ? `${typed}${name}` : typed);
	if (path === '') return 'It needs a name';
	return pathFault(path) ?? {path};
};

type Asked = {readonly kind: 'move-file' | 'make-folder'; readonly isSent?: boolean};
/** Sends what was typed; the dialog stays until the answer has come, and with what was typed when it is a refusal. */
const send = (
	get: () => State,
	dialog: Asked & State['dialogs'][number],
	order: () => Promise<string | void>,
): void => {
	const isOpen = (): boolean => {
		const top = get().dialogs.at(-1);
		return top?.kind === dialog.kind && 'isSent' in top && top.isSent === true;
	};
	get().changeDialog({...dialog, isSent: true});
	void order().then(problem => {
		const top = get().dialogs.at(-1);
		if (!isOpen() || top === undefined) {
			if (typeof problem === 'string') get().notify('bad', problem);
			return;
		}
		if (problem === undefined) return get().closeDialog();
		get().changeDialog({...top, isSent: false} as typeof dialog);
		get().notify('bad', problem);
	});
};
const WAIT = 'The server is asked already';

/** Asks for the new path of a file or folder. */
export const moveFile = chooser({kind: 'move-file'}, ({get}, dialog) => {
	const {server, path, isFolder, isSent} = dialog;
	const name = path.split('/').at(-1) ?? path;
	return {
		title: `Rename or move ${label(name, 40)}`,
		width: WIDTH,
		initial: path,
		enterLabel: 'rename',
		choicesFor: () => [],
		empty: isSent
			? asking('the server')
			: `${keyFor('chooser.accept')} renames it. End the path with a slash to keep its name.`,
		whyNot(typed) {
			if (isSent) return WAIT;
			const goal = goalOf(typed.trim(), name);
			if (typeof goal === 'string') return goal;
			if (goal.path === path) return 'That is its name now';
			return isFolder && goal.path.startsWith(`${path}/`) ? 'A folder cannot be put into itself' : undefined;
		},
		onEnter(typed) {
			const goal = goalOf(typed.trim(), name);
			if (typeof goal === 'string') return goal;
			send(get, topDialog(get(), 'move-file') ?? dialog, async () => get().moveFile(server, path, goal.path));
			return true;
		},
	};
});

/** Asks for the path of a new folder. */
export const makeFolder = chooser({kind: 'make-folder'}, ({get}, dialog) => {
	const {server, above, isSent} = dialog;
	return {
		title: 'New folder',
		width: WIDTH,
		initial: above === '' ? '' : `${above}/`,
		enterLabel: 'make it',
		choicesFor: () => [],
		empty: isSent
			? asking('the server')
			: `Type its path from the server's root; ${keyFor('chooser.accept')} makes it and what is missing above it.`,
		whyNot(typed) {
			if (isSent) return WAIT;
			const path = typedPath(typed.trim());
			return path === '' || (above !== '' && path === above) ? 'A folder needs a name' : pathFault(path);
		},
		onEnter(typed) {
			const path = typedPath(typed.trim());
			send(get, topDialog(get(), 'make-folder') ?? dialog, async () => get().makeFolder(server, path));
			return true;
		},
	};
});

export const removing: KeyHandlers<'confirm'> = ({get}) => ({
	yes() {
		const dialog = topDialog(get(), 'remove-file');
		if (dialog === undefined) return;
		if (dialog.holds === 'asking') return 'What is in it is being asked: a moment';
		get().closeDialog();
		void get()
			.removeFile(dialog.server, dialog.path)
			.then(problem => {
				if (typeof problem === 'string') get().notify('bad', problem);
			});
	},
	no: () => get().closeDialog(),
});

const inside = (holds: Holds): string => {
	if (holds === 'asking') return asking('the server', 'what is in it');
	if (holds === 'unknown') return 'What is in it is not known; all of it goes too.';
	if (holds === 0) return 'It is empty.';
	return `It holds ${holds.toLocaleString('en')} ${holds === 1 ? 'entry' : 'entries'}: all of it goes too.`;
};

/** Asks before a file or folder goes. */
export const RemoveFile = ({
	path,
	isFolder,
	holds,
	body,
}: {
	readonly path: string;
	readonly isFolder: boolean;
	readonly holds: Holds;
	readonly body: Rect;
}) => {
	const width = Math.min(WIDTH, body.width - 4) - 4;
	return (
		<DialogBox
			title={isFolder ? 'Delete this folder?' : 'Delete this file?'}
			body={body}
			width={WIDTH}
			lines={[
				'',
				...wrap(label(path, 300), width).slice(0, 5),
				'',
				...(isFolder
					? wrap(inside(holds), width).map(line => (holds === 0 ? line : paint('busy', line)))
					: []),
				...wrap('This is final, unless the server keeps a trash of its own.', width),
				'',
				keyHints(['confirm.yes', 'delete'], ['confirm.no', 'keep it']),
			]}
		/>
	);
};
