import {
	SIGN_IN_FIELDS,
	newSignIn,
	signInFault,
	suggestedName,
	takesBrowser,
	waysIn,
	type SignInField,
	type SignInForm,
} from '../sign-in.ts';
import * as edit from '../../../text/editor/editor.ts';
import {keyFor} from '../../../text/key-name.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {editingKeys} from '../../core/components/editor-keys.ts';
import {lineField, onOneLine, masked} from '../../core/components/line-field.ts';
import {TextField, textKeys} from '../../core/components/text-field.tsx';
import {CursorAt} from '../../core/frame/cursor.tsx';
import type {Rect} from '../../core/frame/layout.ts';
import type {State} from '../../core/program.ts';
import type {KeyContext} from '../../core/feature.ts';
import {actionsOf, type KeyScope} from '../../core/keys/action.ts';
import {line} from '../../core/keys/binding-sets.ts';
import {useGetState} from '../../core/store-context.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {asking} from '../../core/components/remote-line.ts';
import {paint} from '../../core/theme/theme.ts';
import {QUESTION_WIDTH} from '../../core/dialogs/question.tsx';
import {boxPlace, DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {profileAccess} from '../profiles.ts';

const HEAD = 12;
const NAMES: Readonly<Record<SignInField, string>> = {address: 'Address', profile: 'Profile', key: 'API key'};

const NO_FORM = newSignIn({profile: '', keyFile: null});
/** The current form, not the drawn one, because several keys may arrive before the next frame. */
const latest = (get: () => State): SignInForm => topDialog(get(), 'sign-in')?.form ?? NO_FORM;
const draftOf = (get: () => State): edit.Editor => latest(get).fields[latest(get).at];

const change = (get: () => State, next: Partial<SignInForm>): void =>
	route(get).changeDialog({kind: 'sign-in', form: {...latest(get), ...next}});

const set = (get: () => State, editor: edit.Editor): void => {
	const {fields, at} = latest(get);
	change(get, {fields: {...fields, [at]: editor}, refusal: null});
};

const step = (get: () => State, by: number): void => {
	const {at, fields} = latest(get);
	const index = SIGN_IN_FIELDS.indexOf(at) + by + SIGN_IN_FIELDS.length;
	change(get, {
		at: SIGN_IN_FIELDS[index % SIGN_IN_FIELDS.length] ?? 'address',
		// The cursor must be at the end of the text, where ink-text-input puts its own at first.
		fields: {...fields, profile: edit.textEnd(fields.profile)},
	});
	profileAccess(get).findWays();
};

/** Field of the profile's name, which ink-text-input edits. */
const nameField = (at: KeyContext) =>
	textKeys(at, {draft: () => draftOf(at.get), set: editor => set(at.get, editor)});
const write = (at: KeyContext, editor: edit.Editor): void =>
	latest(at.get).at === 'profile' ? nameField(at).edit(editor) : set(at.get, editor);

const accept = (at: KeyContext): string | void => {
	const {get} = at;
	const form = latest(get);
	if (form.checking) return 'Checking with the service';
	if (form.at === 'profile') return nameField(at).submit();
	if (form.at === 'address') return step(get, 1);
	if (takesBrowser(form)) return void profileAccess(get).signInByBrowser();
	const fault = signInFault(form);
	if (fault !== null) return change(get, {at: fault.at, refusal: fault.what});
	change(get, {checking: true, refusal: null});
	void profileAccess(get)
		.signIn(form)
		.then(refusal => {
			if (typeof refusal === 'string' && topDialog(get(), 'sign-in')) change(get, {checking: false, refusal});
		});
};

export const signInKeys: KeyScope = {
	where: 'sign in',
	isText: true,
	isDialog: true,
	actions: {
		accept: {
			keys: ['enter'],
			label: 'next',
			hint: true,
			now({get}) {
				const {checking, at} = latest(get);
				return checking ? null : at === 'key' ? 'sign in' : undefined;
			},
			run: accept,
		},
		next: {keys: ['tab', 'down'], label: 'next field', hint: true, run: ({get}) => step(get, 1)},
		previous: {keys: ['shift+tab', 'up'], label: 'previous field', hint: true, run: ({get}) => step(get, -1)},
		openKeyPage: {
			keys: ['ctrl+o'],
			label: 'open the API-key page',
			run: ({get}) => profileAccess(get).openKeyPage(),
		},
		...actionsOf(line, at => editingKeys({draft: () => draftOf(at.get), set: editor => write(at, editor)})),
		cancel: {keys: ['esc'], label: 'close the form', run: ({get}) => profileAccess(get).stopSignIn()},
	},
	typed: (at, text) =>
		write(
			at,
			edit.insert(
				draftOf(at.get),
				latest(at.get).at === 'key' ? (text.trim().split(/[\r\n]/)[0] ?? '') : onOneLine(text),
			),
		),
};

/** Text about the wait, or about why the last attempt failed. */
const statusText = ({checking, browser, refusal}: SignInForm): string => {
	if (!checking) return refusal === null ? '' : paint('bad', label(refusal, 400));
	if (browser === null) return paint('busy', asking('the service', 'to check the key'));
	const {isOpened, address, mark} = browser;
	return paint(
		'busy',
		isOpened
			? `Sign in in your browser. Continue there only if it shows ${mark}.`
			: `No browser found. Open this page on this machine, and continue there only if it shows ${mark}: ${label(address, 400)}`,
	);
};

/** Rows of a box with a long error. The box is placed as if it had this height. */
const ROWS = 15;

/** Sign-in form. The service checks the key before it is stored. */
export const SignIn = ({form, body}: {readonly form: SignInForm; readonly body: Rect}) => {
	const get = useGetState();
	const place = boxPlace(body, QUESTION_WIDTH, ROWS);
	const room = lineWidth(body, QUESTION_WIDTH) - HEAD - 2;
	const shown = (field: SignInField) =>
		lineField(field === 'key' ? masked(form.fields.key) : form.fields[field], room);
	const name = form.fields.profile.text.trim() || suggestedName(form.fields.address.text);
	const hint = {
		address: 'e.g. https://notebooks.example.com',
		profile: suggestedName(form.fields.address.text),
		key: 'paste the key; it is never shown',
	};
	const {page, hasBrowser} = waysIn(form);
	const said = statusText(form);
	const file = form.keyFile ?? profileAccess(get).keyFileOf(name === '' ? '…' : name);
	const where = paint(
		'dim',
		`If the service accepts the key, it is stored in ${label(file, 300)}, readable only by you.`,
	);
	const made = hasBrowser
		? `Without a key, ${keyFor('signIn.accept')} signs in with your browser.`
		: page === null
			? ''
			: `Create a key at ${label(page, 300)} (${keyFor('signIn.openKeyPage')} opens it).`;
	const paragraphs = (said === '' ? [made, where] : [said, form.checking ? '' : made])
		.filter(text => text !== '')
		.map(text => wrap(text, lineWidth(body, QUESTION_WIDTH) - 4));
	const below = paragraphs.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
	// If the terminal has few rows, the blank rows between the fields are omitted.
	const isTight = 2 + 2 * SIGN_IN_FIELDS.length + below.length > body.height - 2;
	const gap = isTight ? [] : [''];
	const topOf = (field: SignInField): number => 1 + (1 + gap.length) * SIGN_IN_FIELDS.indexOf(field);
	const rows = SIGN_IN_FIELDS.flatMap(field => [
		`${form.at === field ? paint('accent', glyph.cursor) : ' '} ${paint(form.at === field ? 'own' : 'dim', NAMES[field].padEnd(HEAD - 2))}${field === 'profile' && form.at === 'profile' ? '' : shown(field).text || paint('dim', label(hint[field], room))}`,
		...gap,
	]);
	const lines = [
		'',
		...rows,
		...(isTight ? [''] : []),
		...below.map(line => (line === '' ? '' : `  ${line}`)),
		'',
	];
	return (
		<>
			<DialogBox title="Sign in" body={body} width={QUESTION_WIDTH} lines={lines} most={ROWS}>
				{form.at === 'profile' && (
					<TextField
						editor={form.fields.profile}
						left={1 + HEAD}
						top={topOf('profile')}
						width={room}
						placeholder={label(hint.profile, room)}
						onSubmit={() => step(get, 1)}
					/>
				)}
			</DialogBox>
			<CursorAt
				x={place.left + 2 + HEAD + cellWidth(shown(form.at).text.slice(0, shown(form.at).x))}
				y={place.top + 1 + topOf(form.at)}
			/>
		</>
	);
};
