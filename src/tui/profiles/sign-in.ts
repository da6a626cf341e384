import {createEditor, type Editor} from '../../text/editor/editor.ts';

export const SIGN_IN_FIELDS = ['address', 'profile', 'key'] as const;
export type SignInField = (typeof SIGN_IN_FIELDS)[number];

export type SignInForm = {
	readonly fields: Readonly<Record<SignInField, Editor>>;
	readonly at: SignInField;
	/** Key file of a profile that has one. */
	readonly keyFile: string | null;
	/** Key page of the service at the address `of`. `page`: null until the service reports one. */
	readonly keyPage: {readonly of: string; readonly page: string | null} | null;
	readonly checking: boolean;
	/** Reason why the last attempt failed. */
	readonly refusal: string | null;
};

/** Fields of the form that outlive the program. */
export type KeptSignIn = {readonly address: string; readonly profile: string};

/** New form. A known service needs only its key. */
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
	keyPage: null,
	checking: false,
	refusal: null,
});

export const serviceIn = ({fields: {address, profile}}: SignInForm) => ({
	baseUrl: address.text.trim(),
	profile: profile.text.trim(),
});

/** First error of the form, and its field. Null if the form can be sent. */
export const signInFault = ({
	fields: {address, key},
}: SignInForm): {readonly at: SignInField; readonly what: string} | null => {
	const url = URL.parse(address.text.trim());
	if (!url || !/^https?:$/.test(url.protocol))
		return {at: 'address', what: 'The address should look like https://notebooks.example.com'};
	return key.text.trim() === '' ? {at: 'key', what: 'Paste or type the API key'} : null;
};

/** Profile name if the user types none. */
export const suggestedName = (address: string): string =>
	URL.parse(address.trim())?.host.replaceAll(/[^A-Za-z0-9._-]/g, '-') ?? '';
