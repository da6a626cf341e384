import {LOCAL_FACTS, type ProfileFacts} from '../../../settings/profile.ts';
import type {ProfileChoice} from '../../../settings/profile-store.ts';
import type {ColourDepth} from '../../../text/output/picture.ts';
import type {Slice} from '../program.ts';
import type {Deps, ProfileAccess} from './deps.ts';
import type {RequestEntry} from './requests.ts';
import {newSignIn, type KeptSignIn, type SignInForm} from '../../profiles/sign-in.ts';

export type {Theme} from '../../../settings/profile.ts';

/** Which service the program talks to, and how that stands. */
export type Connection =
	| {readonly status: 'connecting'; readonly doing: string}
	/** `lasts`: a local service that was started by hand, and goes on without us. */
	| {readonly status: 'ready'; readonly lasts?: boolean}
	/** `what` and `next` are sentences for the user. */
	| {readonly status: 'failed'; readonly what: string; readonly next: string};

export type SessionSlice = ProfileFacts & {
	readonly connection: Connection;
	/** Keys of the user's own, by `scope.action`. */
	readonly rebound: Readonly<Record<string, readonly string[]>>;
	/** What the terminal can show, for pictures. */
	readonly colourDepth: ColourDepth;
	/** Profiles as the settings name them; null until asked for. */
	readonly profiles: readonly ProfileChoice[] | null;
	setService(facts: ProfileFacts): void;
	setConnection(connection: Connection): void;
	quit(): void;
	suspend(): void;
	redraw(): void;
	/** After the way to the service has failed: tries again. */
	reconnect(): void;
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
	/** Checks the key with the service and stores it; then the program goes on with that profile. */
	signIn(form: SignInForm): Promise<string | void>;
};

/** The last answer said that the key is not good. */
export const isKeyRefused = ({requests}: {readonly requests: readonly RequestEntry[]}): boolean => {
	const status = requests.findLast(
		({took, status: answered}) => took !== null && answered !== undefined,
	)?.status;
	return status === 401 || status === 403;
};

const NOBODY: ProfileAccess = {
	list: async () => [],
	open() {},
	signIn: async () => 'There are no settings here',
	known: async () => null,
	keyFileOf: name => name,
};

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const createSessionSlice =
	({
		facts = LOCAL_FACTS,
		rebound = {},
		colourDepth = 24,
		access = NOBODY,
		reconnect: again = () => {},
		quit = () => {},
		suspend = () => {},
		redraw = () => {},
	}: Deps): Slice<SessionSlice> =>
	(set, get) => ({
		...facts,
		connection: {
			status: 'connecting',
			doing: facts.isLocal ? 'starting the local service' : `asking ${facts.serviceName}`,
		},
		rebound,
		colourDepth,
		profiles: null,
		keptSignIn: null,
		keepSignIn: keptSignIn => set({keptSignIn}),
		quit,
		suspend,
		redraw,
		setService: now => set(now),
		setConnection: connection => set({connection}),
		reconnect() {
			set({
				connection: {
					status: 'connecting',
					doing: get().isLocal ? 'starting the local service' : `asking ${get().serviceName}`,
				},
			});
			again();
		},
		async loadProfiles() {
			set({profiles: await access.list()});
		},
		chooseProfile() {
			get().openDialog({kind: 'profiles'});
			get()
				.loadProfiles()
				.catch((error: unknown) => {
					get().closeDialog();
					get().notify('bad', sentenceOf(error));
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
			void access
				.known(name)
				.then(known => {
					const dialog = get().dialogs.at(-1);
					// What was typed meanwhile stays.
					if (known !== null && dialog?.kind === 'sign-in' && dialog.form.fields.address.text === '')
						get().changeDialog({kind: 'sign-in', form: newSignIn({profile: name, ...known})});
				})
				.catch(() => {});
		},
		keyFileOf: access.keyFileOf,
		async signIn(form) {
			const refusal = await access.signIn({
				profile: form.fields.profile.text.trim(),
				baseUrl: form.fields.address.text.trim(),
				apiKey: form.fields.key.text.trim(),
			});
			// Another session has taken over: what was typed here is of no more use.
			if (typeof refusal !== 'string' && get().dialogs.at(-1)?.kind === 'sign-in') get().closeDialog();
			return refusal;
		},
	});
