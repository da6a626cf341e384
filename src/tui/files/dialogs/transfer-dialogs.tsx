import type {Direction} from '../transfers-slice.ts';
import {label} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {keyColumn} from '../../core/components/key-hint.ts';
import {SelectList, useSelectKeys} from '../../core/components/select-list.tsx';
import type {Rect} from '../../core/frame/layout.ts';
import {useKeys} from '../../core/keys/keys.tsx';
import {useGetState} from '../../core/store-context.ts';
import {Chooser} from '../../core/dialogs/chooser.tsx';
import {DialogBox} from '../../core/dialogs/dialog-box.tsx';

const WIDTH = 72;

const OVERWRITE = [
	['overwrite', 'one', 'overwrite it'],
	['overwrite-all', 'all', 'overwrite all'],
	['skip', 'skip', 'skip it'],
	['skip-all', 'skipAll', 'skip all that exist'],
	['stop', 'stop', 'stop'],
] as const;

/** Asks what to upload into a folder, or where to download something to. */
export const TransferPath = ({
	server,
	direction,
	path,
	body,
}: {
	readonly server: string;
	readonly direction: Direction;
	readonly path: string;
	readonly body: Rect;
}) => {
	const get = useGetState();
	const isUpload = direction === 'upload';
	const there = path === '' ? 'the root' : label(path, 60);
	return (
		<Chooser
			title={isUpload ? `Upload into ${there}` : `Download ${there}`}
			body={body}
			initial={isUpload ? '' : './'}
			choicesFor={() => []}
			empty={
				isUpload
					? 'A file or folder of this machine, or a pattern such as data/*.csv'
					: 'The folder of this machine that it goes into'
			}
			onEnter={typed => {
				const local = typed.trim();
				if (local === '') return isUpload ? 'Type what to upload' : 'Type where it goes';
				get().closeDialog();
				return (isUpload ? get().upload(server, local, path) : get().download(server, path, local)) ?? true;
			}}
		/>
	);
};

/** Asks what to do with a file that is there already. */
export const Overwrite = ({
	path,
	direction,
	body,
}: {
	readonly path: string;
	readonly direction: Direction;
	readonly body: Rect;
}) => {
	const get = useGetState();
	const width = Math.min(WIDTH, body.width - 4) - 4;
	const list = useSelectKeys();
	const answer = get().answerOverwrite;
	useKeys('overwrite', {
		up: list.up,
		down: list.down,
		accept: list.accept,
		one: () => answer('overwrite'),
		all: () => answer('overwrite-all'),
		skip: () => answer('skip'),
		skipAll: () => answer('skip-all'),
		stop: () => answer('stop'),
	});
	const items = OVERWRITE.map(([value, action, words]) => ({
		value,
		lines: [keyColumn(`overwrite.${action}`, words)],
	}));
	return (
		<DialogBox
			title={direction === 'upload' ? 'It already exists on the server' : 'It already exists on this machine'}
			body={body}
			width={WIDTH}
			lines={['', ...wrap(label(path, 300), width), '']}
			rows={items.length}
		>
			{/* Enter that is pressed once too often must not write over a file. */}
			<SelectList list={list} items={items} at="skip" width={width} onSelect={answer} />
		</DialogBox>
	);
};
