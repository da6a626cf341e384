import {createEditor, type Editor} from '../../text/editor/editor.ts';

export const SIGN_IN_FIELDS = ['address', 'profile', 'key'] as const;
export type SignInField = (typeof SIGN_IN_FIELDS)[number];

/** The sign-in form as typed. */
export type SignInForm = {
	readonly fields: Readonly<Record<SignInField, Editor>>;
	readonly at: SignInField;
	/** Of a profile that has one already. */
	readonly keyFile: string | null;
	/** Where keys are made, as the service at this address says; null as long as it has not said. */
	readonly keyPage: {readonly of: string; readonly page: string | null} | null;
	/** The service is being asked. */
	readonly checking: boolean;
	/** Why the last try failed. */
	readonly refusal: string | null;
};

/** What of the form outlives the program. */
export type KeptSignIn = {readonly address: string; readonly profile: string};

/** A service that is known needs its key only. */
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

/** The service that is meant, as typed. */
export const serviceIn = ({fields: {address, profile}}: SignInForm) => ({
	baseUrl: address.text.trim(),
	profile: profile.text.trim(),
});

/** Why the form cannot be sent, and the field that is meant; or null. */
export const signInFault = ({
	fields: {address, key},
}: SignInForm): {readonly at: SignInField; readonly what: string} | null => {
	const url = URL.parse(address.text.trim());
	if (!url || !/^https?:$/.test(url.protocol))
		return {at: 'address', what: 'The address should look like https://notebooks.example.com'};
	return key.text.trim() === '' ? {at: 'key', what: 'Paste or type the API key'} : null;
};

/** What the profile is called when nothing is typed for it. */
export const suggestedName = (address: string): string =>
	URL.parse(address.trim())?.host.replaceAll(/[^A-Za-z0-9._-]/g, '-') ?? '';
