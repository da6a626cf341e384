import {transferBusyText, type Direction, fileTransfers, type OverwriteAnswer} from './transfers.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyColumn} from '../../core/components/key-hint.ts';
import {SelectList, selectKeys} from '../../core/components/select-list.tsx';
import type {Rect} from '../../core/frame/layout.ts';
import type {KeyContext} from '../../core/feature.ts';
import type {KeyScope} from '../../core/keys/action.ts';
import {useGetState} from '../../core/store-context.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {QUESTION_WIDTH} from '../../core/dialogs/question.tsx';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';

const OVERWRITE = [
	['overwrite', 'one', 'overwrite'],
	['overwrite-all', 'all', 'overwrite all'],
	['skip', 'skip', 'skip'],
	['skip-all', 'skipAll', 'skip all that exist'],
	['stop', 'stop', 'stop'],
] as const;

/** Asks for the local path to upload into a folder, or for the local target of a download. */
export const transfer = chooser(
	{kind: 'transfer', line: ({direction, server}) => ({field: direction, server})},
	({get}, {server, direction, path}) => {
		const isUpload = direction === 'upload';
		const move = (local: string): string | void =>
			isUpload
				? fileTransfers(get).upload(server, local, path)
				: fileTransfers(get).download(server, path, local);
		/**
		 * Local entries that start with the typed text. Where the typed text may be a path of its
		 * own, that comes first.
		 */
		const choicesFor = (typed: string): readonly Choice[] => {
			const local = typed.trim();
			const above = typed.slice(0, typed.lastIndexOf('/') + 1);
			const wanted = typed.slice(above.length);
			const {localFolder} = get();
			const found = (localFolder?.path === above ? localFolder.entries : [])
				.filter(
					({name, isFolder}) =>
						name.startsWith(wanted) && (isUpload || isFolder) && (wanted !== '' || !name.startsWith('.')),
				)
				.sort((one, other) => Number(other.name === wanted) - Number(one.name === wanted))
				.map(({name, isFolder}): Choice => {
					const whole = above + name;
					return {
						text: isFolder ? `${name}/` : name,
						completes: isFolder ? `${whole}/` : whole,
						choose: () => move(whole),
					};
				});
			const mayBeNew = !isUpload || wanted === '' || /[*?[]/.test(wanted) || found.length === 0;
			const isThere = localFolder?.entries.some(({name}) => name === wanted) === true && found.length > 0;
			return local === '' || !mayBeNew || isThere
				? found
				: [
						{
							text: local === './' ? 'The folder that svc-tui was started in' : local,
							id: '',
							note: 'as typed',
							choose: () => move(local),
						},
						...found,
					];
		};
		const there = path === '' ? 'the root' : label(path, 60);
		return {
			title: isUpload ? `Upload into ${there}` : `Download ${there}`,
			initial: isUpload ? '' : './',
			enterLabel: direction,
			choicesFor,
			onShown: typed => fileTransfers(get).lookLocally(typed),
			empty: isUpload
				? 'A file or folder on this machine, or a pattern such as data/*.csv.'
				: 'The folder on this machine to download into.',
			whyNot: typed =>
				typed.trim() !== ''
					? transferBusyText(get())
					: isUpload
						? 'Type what to upload'
						: 'Type the folder to download into',
		};
	},
);

const choose =
	(choice: OverwriteAnswer) =>
	({get}: KeyContext): void =>
		fileTransfers(get).answerOverwrite(choice);

export const overwriteKeys: KeyScope = {
	where: 'a file that already exists',
	isDialog: true,
	actions: {
		up: {keys: ['up', 'k'], label: 'Move up', run: at => selectKeys(at).up()},
		down: {keys: ['down', 'j'], label: 'Move down', run: at => selectKeys(at).down()},
		accept: {keys: ['enter'], label: 'choose', run: at => selectKeys(at).accept()},
		one: {keys: ['o'], label: 'overwrite', hint: true, run: choose('overwrite')},
		all: {keys: ['a'], label: 'overwrite all', hint: true, run: choose('overwrite-all')},
		skip: {keys: ['s'], label: 'skip', hint: true, run: choose('skip')},
		skipAll: {keys: ['n'], label: 'skip all', hint: true, run: choose('skip-all')},
		stop: {keys: ['esc'], label: 'stop', run: choose('stop')},
	},
};

/** Asks what to do with an existing file. */
export const Overwrite = ({
	path,
	direction,
	isHidden = false,
	body,
}: {
	readonly path: string;
	readonly direction: Direction;
	readonly isHidden?: boolean;
	readonly body: Rect;
}) => {
	const get = useGetState();
	const width = lineWidth(body, QUESTION_WIDTH);
	const items = OVERWRITE.map(([value, action, words]) => ({
		value,
		lines: [keyColumn(`overwrite.${action}`, words)],
	}));
	return (
		<DialogBox
			title={
				direction === 'upload'
					? 'This file already exists on the server'
					: `${isHidden ? 'This hidden file' : 'This file'} already exists on this machine`
			}
			body={body}
			width={QUESTION_WIDTH}
			lines={['', ...wrap(label(path, 300), width), '']}
			rows={items.length}
		>
			{/* The cursor starts at "skip", so that an accidental Enter overwrites no file. */}
			<SelectList items={items} at="skip" width={width} onSelect={fileTransfers(get).answerOverwrite} />
		</DialogBox>
	);
};
