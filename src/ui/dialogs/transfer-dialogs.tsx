import type {Direction} from '../../store/transfers.ts';
import {label} from '../../text/safe.ts';
import {wrap} from '../../text/wrap.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useGetState} from '../store-context.ts';
import {paint} from '../theme/theme.ts';
import {Chooser} from './chooser.tsx';
import {DialogBox} from './dialog-box.tsx';

const WIDTH = 72;

/** Asks what to upload into a folder, or where to download something to. */
export const TransferPath = ({server, direction, path, body}: {readonly server: string; readonly direction: Direction; readonly path: string; readonly body: Rect}) => {
	const get = useGetState();
	const isUpload = direction === 'upload';
	const there = path === '' ? 'the root' : label(path, 60);
	return (
		<Chooser title={isUpload ? `Upload into ${there}` : `Download ${there}`} body={body} initial={isUpload ? '' : './'} choicesFor={() => []}
			empty={isUpload ? 'A file or folder of this machine, or a pattern such as data/*.csv' : 'The folder of this machine that it goes into'}
			onEnter={typed => {
				const local = typed.trim();
				if (local === '') return isUpload ? 'Type what to upload' : 'Type where it goes';
				get().closeDialog();
				return (isUpload ? get().upload(server, local, path) : get().download(server, path, local)) ?? true;
			}}/>
	);
};

/** Asks what to do with a file that is there already. */
export const Overwrite = ({path, direction, body}: {readonly path: string; readonly direction: Direction; readonly body: Rect}) => {
	const get = useGetState();
	const width = Math.min(WIDTH, body.width - 4) - 4;
	useKeys('overwrite', {
		one: () => get().answerOverwrite('overwrite'),
		all: () => get().answerOverwrite('overwrite-all'),
		skip: () => get().answerOverwrite('skip'),
		skipAll: () => get().answerOverwrite('skip-all'),
		stop: () => get().answerOverwrite('stop'),
	});
	const key = (name: string, words: string): string => `${paint('accent', name)} ${words}`;
	return (
		<DialogBox title={direction === 'upload' ? 'It is on the server already' : 'It is on this machine already'} body={body} width={WIDTH} lines={[
			'', ...wrap(label(path, 300), width), '',
			`${key('o', 'overwrite it')}   ${key('a', 'overwrite all')}`,
			`${key('s', 'leave it')}   ${key('n', 'leave all that are there')}   ${key('esc', 'stop')}`,
		]}/>
	);
};
