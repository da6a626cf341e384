import {newAttach, type AttachForm, attachedServers} from '../attach.ts';
import * as edit from '../../../text/editor/editor.ts';
import {messageOf} from '../../../text/errors.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {editingKeys} from '../../core/components/editor-keys.ts';
import {lineField, masked} from '../../core/components/line-field.ts';
import {CursorAt} from '../../core/frame/cursor.tsx';
import type {Rect} from '../../core/frame/layout.ts';
import type {State} from '../../core/program.ts';
import {actionsOf, type KeyScope} from '../../core/keys/action.ts';
import {line} from '../../core/keys/binding-sets.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {callDetailsHint} from '../../core/components/key-hint.ts';
import {asking} from '../../core/components/remote-line.ts';
import {paint} from '../../core/theme/theme.ts';
import {QUESTION_WIDTH} from '../../core/dialogs/question.tsx';
import {boxPlace, DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';

const HEAD = 10;
/** Rows of a box with a long error. The box is placed as if it had this height. */
const ROWS = 9;

const NO_FORM = newAttach('');
/** The current form, not the drawn one, because several keys may arrive before the next frame. */
const latest = (get: () => State): AttachForm => topDialog(get(), 'attach')?.form ?? NO_FORM;

const change = (get: () => State, next: Partial<AttachForm>): void =>
	route(get).changeDialog({kind: 'attach', form: {...latest(get), ...next}});

const set = (get: () => State, address: edit.Editor): void => change(get, {address, refusal: null});
const refuse = (get: () => State, refusal: AttachForm['refusal']): void => {
	if (topDialog(get(), 'attach')) change(get, {checking: false, refusal});
};

export const attachKeys: KeyScope = {
	where: 'attach a server',
	isText: true,
	isDialog: true,
	actions: {
		accept: {
			keys: ['enter'],
			label: 'attach',
			hint: true,
			now: ({get}) => (latest(get).checking ? null : undefined),
			run({get}) {
				const form = latest(get);
				if (form.checking) return 'Waiting for the server';
				if (form.address.text.trim() === '')
					return change(get, {refusal: {words: 'Paste the address of the server, with its token'}});
				change(get, {checking: true, refusal: null});
				void attachedServers(get)
					.attach(form)
					.then(
						refusal => {
							if (refusal !== null) refuse(get, refusal);
							else if (topDialog(get(), 'attach')) route(get).closeDialog();
						},
						(error: unknown) => refuse(get, {words: messageOf(error)}),
					);
			},
		},
		...actionsOf(line, ({get}) =>
			editingKeys({draft: () => latest(get).address, set: address => set(get, address)}),
		),
		cancel: {keys: ['esc'], label: 'close the form', run: ({get}) => route(get).closeDialog()},
	},
	typed: ({get}, text) => set(get, edit.insert(latest(get).address, text.trim().split(/[\r\n]/)[0] ?? '')),
};

/**
 * Asks for the address of a running Jupyter Server. The address is drawn as asterisks, because it
 * contains a token.
 */
export const AttachDialog = ({form, body}: {readonly form: AttachForm; readonly body: Rect}) => {
	const place = boxPlace(body, QUESTION_WIDTH, ROWS);
	const width = lineWidth(body, QUESTION_WIDTH);
	const room = width - HEAD - 2;
	const shown = lineField(masked(form.address), room);
	const said = form.checking
		? paint('busy', asking('the server', 'who it is'))
		: form.refusal === null
			? paint(
					'dim',
					'As "jupyter server list" prints it, with its token. It is saved in a file of the service that only you can read; the server is not changed.',
				)
			: paint('bad', label(form.refusal.words, 400));
	const lines = [
		'',
		`  ${paint('own', 'address'.padEnd(HEAD - 2))}${shown.text || paint('dim', 'paste it: it is never shown')}`,
		'',
		...wrap(said, width - 4).map(line => `  ${line}`),
		...(form.refusal?.failure === undefined || form.checking
			? []
			: [`  ${callDetailsHint(form.refusal.failure, 'always.evidence')}`]),
		'',
	];
	return (
		<>
			<DialogBox
				title={
					form.name === '' ? 'Attach a Jupyter Server' : `Attach a Jupyter Server as ${label(form.name, 40)}`
				}
				body={body}
				width={QUESTION_WIDTH}
				lines={lines}
				most={ROWS}
			/>
			<CursorAt x={place.left + 2 + HEAD + cellWidth(shown.text.slice(0, shown.x))} y={place.top + 2} />
		</>
	);
};
