import {wrap} from '../../../text/width/wrap.ts';
import {label} from '../../../text/safe.ts';
import {sizeText} from '../../core/components/age.ts';
import {keyHints} from '../../core/components/key-hint.ts';
import {DialogBox} from '../../core/dialogs/dialog-box.tsx';
import {keyFor} from '../../core/keys/live-keys.ts';
import type {Rect} from '../../core/program.ts';
import type {KeyHandlers} from '../../core/room.ts';
import {topDialog} from '../../core/store/route.ts';
import type {ServerFile} from '../content.ts';

const WIDTH = 66;

export const savingLarge: KeyHandlers<'confirm'> = ({get}) => ({
	yes() {
		const file = topDialog(get(), 'save-large')?.file;
		get().closeDialog();
		if (file !== undefined) void get().saveNotebook(file);
	},
	no: () => get().closeDialog(),
});

/** Asks whether outputs go into the file that make it large. */
export const SaveLarge = ({
	file,
	size,
	body,
}: {
	readonly file: ServerFile;
	readonly size: number;
	readonly body: Rect;
}) => {
	const width = Math.min(WIDTH, body.width - 4) - 4;
	return (
		<DialogBox
			title="Save all outputs?"
			body={body}
			width={WIDTH}
			lines={[
				'',
				...wrap(
					`The outputs in ${label(file.path, 100)} are ${sizeText(size).trim()} long. ${keyFor('notebook.clear')} clears those of a cell, ${keyFor('notebook.clearAll')} all of them.`,
					width,
				),
				'',
				keyHints(['confirm.yes', 'save them too'], ['confirm.no', 'do not save']),
			]}
		/>
	);
};
