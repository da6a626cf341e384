import {isKeyRefused} from '../core/store/session.ts';
import type {ProfileChoice} from '../../settings/profile-store.ts';
import type {Slice} from '../core/program.ts';
import {topDialog} from '../core/store/route.ts';
import type {Deps, ProfileAccess} from '../core/store/deps.ts';
import {newSignIn, serviceIn, type KeptSignIn, type SignInForm} from './sign-in.ts';
import {messageOf} from '../../text/errors.ts';

export type ProfilesSlice = {
	/** Profiles as the settings name them; null until asked for. */
	readonly profiles: readonly ProfileChoice[] | null;
	/** Reads the profiles. @throws {Error} with a sentence. */
	loadProfiles(): Promise<void>;
	/** Opens the list of profiles. */
	chooseProfile(): void;
	/** Ends all that goes on with this service, drops what may still come of it, and begins anew with another: this store has no more part in it. */
	switchProfile(name: string | null): void;
	/** What a program that ended before had in its sign-in form; the key is never kept. */
	readonly keptSignIn: KeptSignIn | null;
	keepSignIn(kept: KeptSignIn | null): void;
	/** Opens the sign-in form, for the present service where it is a profile. */
	openSignIn(profile?: string): void;
	/** Where the key of a profile would be stored. */
	keyFileOf(name: string): string;
	/** Asks the service in the form where its keys are made, once for each address. */
	findKeyPage(): void;
	/** Gives the page where keys are made to the browser, and tells what came of it. */
	openKeyPage(): string | void;
	/** Checks the key with the service and stores it; then the program goes on with that profile. */
	signIn(form: SignInForm): Promise<string | void>;
};

const NOBODY: ProfileAccess = {
	list: async () => [],
	open() {},
	signIn: async () => 'There are no settings here',
	keyPage: async () => null,
	known: async () => null,
	keyFileOf: name => name,
};

export const createProfilesSlice =
	({access = NOBODY, open, client}: Deps): Slice<ProfilesSlice> =>
	(set, get) => ({
		profiles: null,
		keptSignIn: null,
		keepSignIn: keptSignIn => set({keptSignIn}),
		async loadProfiles() {
			set({profiles: await access.list()});
		},
		chooseProfile() {
			get().openDialog({kind: 'profiles'});
			get()
				.loadProfiles()
				.catch((error: unknown) => {
					get().closeDialog();
					get().notify('bad', messageOf(error));
				});
		},
		switchProfile: name => access.open(name),
		openSignIn(profile) {
			const name =
				profile ??
				(get().isLocal || get().profiles?.some(each => each.name === get().serviceName) === false
					? ''
					: get().serviceName);
			const {keptSignIn} = get();
			const kept = keptSignIn !== null && (name === '' || name === keptSignIn.profile) ? keptSignIn : null;
			get().openDialog({kind: 'sign-in', form: newSignIn({profile: name, keyFile: null, ...kept})});
			get().keepSignIn(null);
			get().findKeyPage();
			void access
				.known(name)
				.then(async stored => {
					// The key of a service that was named by its address is wanted, not another service.
					const isRefused = isKeyRefused({requests: get().requestsNow()});
					const isNamed = stored === null && profile === undefined && !get().isLocal && isRefused;
					const known = isNamed ? {address: (await client()).baseUrl, keyFile: null} : stored;
					const dialog = get().dialogs.at(-1);
					// What was typed meanwhile stays.
					if (known !== null && dialog?.kind === 'sign-in' && dialog.form.fields.address.text === '')
						get().changeDialog({kind: 'sign-in', form: newSignIn({profile: name, ...known})});
					get().findKeyPage();
				})
				.catch(() => {});
		},
		keyFileOf: access.keyFileOf,
		findKeyPage() {
			const form = topDialog(get(), 'sign-in')?.form;
			const {baseUrl, profile} = form ? serviceIn(form) : {baseUrl: '', profile: ''};
			if (!form || form.at !== 'key' || baseUrl === '' || form.keyPage?.of === baseUrl) return;
			const tell = (page: string | null): void => {
				const now = topDialog(get(), 'sign-in')?.form;
				if (now && serviceIn(now).baseUrl === baseUrl)
					get().changeDialog({kind: 'sign-in', form: {...now, keyPage: {of: baseUrl, page}}});
			};
			tell(null);
			void access.keyPage({baseUrl, profile}).then(tell);
		},
		openKeyPage() {
			const page = topDialog(get(), 'sign-in')?.form.keyPage?.page ?? null;
			if (page === null) return 'The service does not say where its keys are made';
			// A page that cannot be written for the browser is as good as no browser.
			void open(page, null)
				.catch(() => false)
				.then(isOpened =>
					get().notify(
						'info',
						isOpened ? 'The page was given to the browser' : 'There is no browser here to open the page in',
					),
				);
		},
		async signIn(form) {
			const refusal = await access.signIn({...serviceIn(form), apiKey: form.fields.key.text.trim()});
			// Another session has taken over: what was typed here is of no more use.
			if (typeof refusal !== 'string' && get().dialogs.at(-1)?.kind === 'sign-in') get().closeDialog();
			return refusal;
		},
	});
