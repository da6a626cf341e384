import {SIGN_IN_FIELDS, signInFault, suggestedName, type SignInField, type SignInForm} from '../../store/sign-in.ts';
import * as edit from '../../text/editor.ts';
import {label} from '../../text/safe.ts';
import {cellWidth} from '../../text/width.ts';
import {wrap} from '../../text/wrap.ts';
import {editingKeys} from '../components/editor-keys.ts';
import {lineField, onOneLine} from '../components/line-field.ts';
import {CursorAt} from '../frame/cursor.tsx';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {boxPlace, DialogBox} from './dialog-box.tsx';

const WIDTH = 76;
const HEAD = 12;
const NAMES: Readonly<Record<SignInField, string>> = {address: 'address', profile: 'profile', key: 'API key'};

/** Stands for each character of the key. */
const masked = (editor: edit.Editor): edit.Editor => edit.moveTo(edit.createEditor('*'.repeat(editor.text.length)), editor.cursor);

/** The form that signs in to a service: the key is checked there, and only then stored. */
export const SignIn = ({form, body}: {readonly form: SignInForm; readonly body: Rect}) => {
	const get = useGetState();
	/** The form at the moment of a key: a burst sends several before the next frame. */
	const latest = (): SignInForm => {
		const dialog = get().dialogs.at(-1);
		return dialog?.kind === 'sign-in' ? dialog.form : form;
	};
	const change = (next: Partial<SignInForm>): void => get().changeDialog({kind: 'sign-in', form: {...latest(), ...next}});
	const set = (editor: edit.Editor): void => {
		const {fields, at} = latest();
		change({fields: {...fields, [at]: editor}, refusal: null});
	};
	const step = (by: number): void => {
		const at = SIGN_IN_FIELDS.indexOf(latest().at);
		change({at: SIGN_IN_FIELDS[(at + by + SIGN_IN_FIELDS.length) % SIGN_IN_FIELDS.length] ?? 'address'});
	};
	const access = {draft: () => latest().fields[latest().at], set};
	useKeys('signIn', {
		...editingKeys(access),
		accept() {
			const now = latest();
			if (now.checking) return 'The service is being asked';
			if (now.at !== 'key') return step(1);
			const fault = signInFault(now);
			if (fault !== null) return change({at: fault.at, refusal: fault.what});
			change({checking: true, refusal: null});
			void get().signIn(now).then(refusal => {
				if (typeof refusal === 'string' && get().dialogs.at(-1)?.kind === 'sign-in') change({checking: false, refusal});
			});
		},
		next: () => step(1),
		previous: () => step(-1),
		cancel: () => get().closeDialog(),
	}, text => set(edit.insert(latest().fields[latest().at], latest().at === 'key' ? text.trim().split(/[\r\n]/)[0] ?? '' : onOneLine(text))));

	const place = boxPlace(body, WIDTH, 14);
	const room = Math.min(WIDTH, body.width - 4) - 4 - HEAD - 2;
	const shown = (field: SignInField) => lineField(field === 'key' ? masked(form.fields.key) : form.fields[field], room);
	const name = form.fields.profile.text.trim() || suggestedName(form.fields.address.text);
	const hint = {address: 'as in https://notebooks.example.com', profile: suggestedName(form.fields.address.text), key: 'paste it: it is never shown'};
	const rows = SIGN_IN_FIELDS.flatMap(field => [
		`${form.at === field ? paint('accent', glyph.cursor) : ' '} ${paint(form.at === field ? 'own' : 'dim', NAMES[field].padEnd(HEAD - 2))}${shown(field).text || paint('dim', label(hint[field], room))}`,
		'',
	]);
	const said = form.checking ? paint('busy', 'asking the service whether the key is good …')
		: form.refusal === null ? '' : paint('bad', label(form.refusal, 400));
	const file = form.keyFile ?? get().keyFileOf(name === '' ? '…' : name);
	const where = paint('dim', `Once the service takes it, the key is stored in ${label(file, 300)}, a file that only you can read.`);
	const lines = ['', ...rows, ...wrap(said === '' ? where : said, Math.min(WIDTH, body.width - 4) - 8).map(line => `  ${line}`)];
	return (
		<>
			<DialogBox title="Sign in" body={body} width={WIDTH} lines={[...lines, ...Array.from({length: Math.max(0, 14 - lines.length)}, () => '')]}/>
			<CursorAt x={place.left + 2 + HEAD + cellWidth(shown(form.at).text.slice(0, shown(form.at).x))} y={place.top + 2 + SIGN_IN_FIELDS.indexOf(form.at) * 2}/>
		</>
	);
};
