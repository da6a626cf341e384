import type {BrowserPage} from '../../api/browser-sign-in.ts';
import type {SignInWays} from '../../api/client-types.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';

export const SIGN_IN_FIELDS = ['address', 'profile', 'key'] as const;
export type SignInField = (typeof SIGN_IN_FIELDS)[number];

export type SignInForm = {
	readonly fields: Readonly<Record<SignInField, Editor>>;
	readonly at: SignInField;
	/** File with the key of the profile; null if there is none. */
	readonly keyFile: string | null;
	/** Ways to get a key, reported by the service at the address `of`; null until then. */
	readonly ways: (SignInWays & {readonly of: string}) | null;
	/** Sign-in page in the browser, while the form waits for it. */
	readonly browser: (BrowserPage & {readonly isOpened: boolean}) | null;
	readonly checking: boolean;
	/** Reason why the last attempt failed. */
	readonly refusal: string | null;
};

/** Fields of the form that are stored as a draft. */
export type KeptSignIn = {readonly address: string; readonly profile: string};

/** Creates a form. For a known service, only the key is missing. */
export const newSignIn = ({
	address = '',
	profile,
	keyFile,
}: {
	readonly address?: string;
	readonly profile: string;
	readonly keyFile: string | null;
}): SignInForm => ({
	fields: {address: createEditor(address), profile: createEditor(profile), key: createEditor()},
	at: address === '' ? 'address' : 'key',
	keyFile,
	ways: null,
	browser: null,
	checking: false,
	refusal: null,
});

export const serviceIn = ({fields: {address, profile}}: SignInForm) => ({
	baseUrl: address.text.trim(),
	profile: profile.text.trim(),
});

/** Ways to get a key of the form's service. None before the service has reported them. */
export const waysIn = (form: SignInForm): SignInWays =>
	form.ways?.of === serviceIn(form).baseUrl ? form.ways : {page: null, hasBrowser: false};

/** True if Enter signs in with a browser. */
export const takesBrowser = (form: SignInForm): boolean =>
	form.at === 'key' && form.fields.key.text.trim() === '' && waysIn(form).hasBrowser;

/** First error of the form, with its field. Null if the form can be submitted. */
export const signInFault = ({
	fields: {address, key},
}: SignInForm): {readonly at: SignInField; readonly what: string} | null => {
	const url = URL.parse(address.text.trim());
	if (!url || !/^https?:$/.test(url.protocol))
		return {at: 'address', what: 'The address should look like https://notebooks.example.com'};
	return key.text.trim() === '' ? {at: 'key', what: 'Paste or type the API key'} : null;
};

/** Profile name that is used if the user types none. */
export const suggestedName = (address: string): string =>
	URL.parse(address.trim())?.host.replaceAll(/[^A-Za-z0-9._-]/g, '-') ?? '';
