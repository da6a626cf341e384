import {isKeyRefused} from '../core/store/session.ts';
import type {ProfileChoice} from '../../settings/profile-store.ts';
import {topDialog, route} from '../core/store/route.ts';
import type {ProfileAccess} from '../core/store/deps.ts';
import {newSignIn, serviceIn, waysIn, type KeptSignIn, type SignInForm} from './sign-in.ts';
import {createEditor} from '../../text/editor/editor.ts';
import {messageOf} from '../../text/errors.ts';
import type {SignInWays} from '../../api/client-types.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';
import {requestLog} from '../core/store/requests.ts';

export type ProfilesState = {
	/** Profiles of the settings; null until they are loaded. */
	readonly profiles: readonly ProfileChoice[] | null;
	/** Saved draft of a sign-in form, never with the key. */
	readonly keptSignIn: KeptSignIn | null;
};

export type Profiles = {
	/** Reads the profiles from the settings. @throws {Error} if they cannot be read. */
	loadProfiles(): Promise<void>;
	chooseProfile(): void;
	/** Ends all work with this service and starts again with another profile. */
	switchProfile(name: string | null): void;
	keepSignIn(kept: KeptSignIn | null): void;
	/** Opens the sign-in form. Fills in the data of the profile, or of the current service. */
	openSignIn(profile?: string): void;
	keyFileOf(name: string): string;
	/** Asks the service of the form how to get a key, once per address. */
	findWays(): void;
	/** Signs in with a browser if the service supports that, else opens its page of keys. */
	openKeyPage(): string | void;
	/** Signs in with a browser, and continues with the profile of the form. */
	signInByBrowser(): Promise<void>;
	/** Closes the form, and stops waiting for the browser. */
	stopSignIn(): void;
	/** Checks the key with the service, stores it, and continues with the profile of the form. */
	signIn(form: SignInForm): Promise<string | void>;
};

const NOBODY: ProfileAccess = {
	list: async () => [],
	open() {},
	signIn: async () => 'No settings file in use',
	ways: async () => ({page: null, hasBrowser: false}),
	keyByBrowser: async () => null,
	known: async () => null,
	keyFileOf: name => name,
};

const firstProfiles = (): ProfilesState => ({profiles: null, keptSignIn: null});

export const profileAccess = part(
	'profileAccess',
	({get, set, deps: {access = NOBODY, open, client}}: App): Profiles => {
		/** Controller that ends the wait for the browser. */
		let browsing: AbortController | null = null;
		const changeForm = (form: SignInForm, changes: Partial<SignInForm>): void =>
			set({
				dialogs: get().dialogs.map(dialog =>
					dialog.kind === 'sign-in' && dialog.form === form
						? {...dialog, form: {...form, ...changes}}
						: dialog,
				),
			});
		/** The form while it waits for a browser. Undefined if it was closed. */
		const waiting = ({signal}: AbortController): SignInForm | undefined => {
			const form = get().dialogs.find(dialog => dialog.kind === 'sign-in')?.form;
			return form?.checking === true && !signal.aborted ? form : undefined;
		};
		return {
			keepSignIn: keptSignIn => set({keptSignIn}),
			async loadProfiles() {
				set({profiles: await access.list()});
			},
			chooseProfile() {
				route(get).openDialog({kind: 'profiles'});
				profileAccess(get)
					.loadProfiles()
					.catch((error: unknown) => {
						route(get).closeDialog();
						notices(get).notify('bad', messageOf(error));
					});
			},
			switchProfile(name) {
				browsing?.abort();
				access.open(name);
			},
			openSignIn(profile) {
				const name =
					profile ??
					(get().isLocal || get().profiles?.some(each => each.name === get().serviceName) === false
						? ''
						: get().serviceName);
				const {keptSignIn} = get();
				const kept = keptSignIn !== null && (name === '' || name === keptSignIn.profile) ? keptSignIn : null;
				route(get).openDialog({kind: 'sign-in', form: newSignIn({profile: name, keyFile: null, ...kept})});
				profileAccess(get).keepSignIn(null);
				profileAccess(get).findWays();
				void access
					.known(name)
					.then(async stored => {
						// No profile is stored, because the user named the service by its address.
						// The service rejects the key, so only the key is missing.
						const isRefused = isKeyRefused({requests: requestLog(get).requestsNow()});
						const isNamed = stored === null && profile === undefined && !get().isLocal && isRefused;
						const known = isNamed ? {address: (await client()).baseUrl, keyFile: null} : stored;
						const dialog = get().dialogs.at(-1);
						// Does not overwrite an address that the user has typed since.
						if (known !== null && dialog?.kind === 'sign-in' && dialog.form.fields.address.text === '')
							route(get).changeDialog({kind: 'sign-in', form: newSignIn({profile: name, ...known})});
						profileAccess(get).findWays();
					})
					.catch(() => {});
			},
			keyFileOf: access.keyFileOf,
			findWays() {
				const form = topDialog(get(), 'sign-in')?.form;
				const {baseUrl, profile} = form ? serviceIn(form) : {baseUrl: '', profile: ''};
				if (!form || form.at !== 'key' || baseUrl === '' || form.ways?.of === baseUrl) return;
				const tell = (ways: SignInWays): void => {
					const now = topDialog(get(), 'sign-in')?.form;
					if (now && serviceIn(now).baseUrl === baseUrl) changeForm(now, {ways: {...ways, of: baseUrl}});
				};
				tell({page: null, hasBrowser: false});
				void access.ways({baseUrl, profile}).then(tell);
			},
			openKeyPage() {
				const form = topDialog(get(), 'sign-in')?.form;
				const {page, hasBrowser} = form ? waysIn(form) : {page: null, hasBrowser: false};
				if (hasBrowser) return void profileAccess(get).signInByBrowser();
				if (page === null) return 'This service does not say where to create keys';
				// A failure to open the page counts as a missing browser.
				void open(page, null)
					.catch(() => false)
					.then(isOpened =>
						notices(get).notify(
							'info',
							isOpened ? 'Opened in your browser' : 'No browser found to open the page',
						),
					);
			},
			async signInByBrowser() {
				const form = topDialog(get(), 'sign-in')?.form;
				if (!form || form.checking) return;
				browsing?.abort();
				const life = new AbortController();
				browsing = life;
				changeForm(form, {checking: true, refusal: null});
				const outcome = await access.keyByBrowser(serviceIn(form), {
					signal: life.signal,
					async open(page) {
						const isOpened = await open(page.address, null).catch(() => false);
						const now = waiting(life);
						if (now) changeForm(now, {browser: {...page, isOpened}});
					},
				});
				const now = waiting(life);
				if (!now || outcome === null) return;
				changeForm(now, {browser: null});
				const refusal =
					typeof outcome === 'string'
						? outcome
						: await profileAccess(get).signIn({
								...form,
								fields: {...form.fields, key: createEditor(outcome.key)},
							});
				const last = waiting(life);
				if (last && typeof refusal === 'string') changeForm(last, {checking: false, refusal});
			},
			stopSignIn() {
				browsing?.abort();
				route(get).closeDialog();
			},
			async signIn(form) {
				const refusal = await access.signIn({...serviceIn(form), apiKey: form.fields.key.text.trim()});
				// The sign-in has started another session, so this form is obsolete.
				if (typeof refusal !== 'string' && get().dialogs.at(-1)?.kind === 'sign-in') route(get).closeDialog();
				return refusal;
			},
		};
	},
	firstProfiles,
);
