import {ALL_COLUMNS, type ChosenColumns} from '../../../settings/columns.ts';
import {LOCAL_PROFILE, type ProfileInfo, type Theme} from '../../../settings/profile.ts';
import type {ColourDepth} from '../../../text/output/picture.ts';
import {messageOf} from '../../../text/errors.ts';
import type {PictureMode} from '../../../text/pixels/choose.ts';
import type {Deps, Overlay} from './deps.ts';
import type {RequestEntry} from './requests.ts';
import {currentAppearance, setAppearance, type Appearance} from '../theme/theme.ts';
import {part, type App} from '../app.ts';
import {notices} from './notices.ts';

export type {Theme} from '../../../settings/profile.ts';

/** Which service the program talks to, and how that stands. */
export type Connection =
	| {readonly status: 'connecting'; readonly doing: string}
	/** `lasts`: a local service that was started by hand, and goes on without us. */
	| {readonly status: 'ready'; readonly lasts?: boolean}
	/** `what` and `next` are sentences for the user. */
	| {readonly status: 'failed'; readonly what: string; readonly next: string};

export type SessionState = ProfileInfo & {
	readonly connection: Connection;
	/** Keys of the user's own, by `scope.action`. */
	readonly rebound: Readonly<Record<string, readonly string[]>>;
	/** Those of the lists that the user has chosen. */
	readonly columns: ChosenColumns;
	/** What the terminal can show, for pictures. */
	readonly colourDepth: ColourDepth;
	/** The one that was chosen. */
	readonly theme: Theme;
	/** How the terminal is drawn on. */
	readonly look: Appearance;
	/** How the terminal draws pictures, as far as it was asked and has answered. */
	readonly pictureLook: PictureMode;
};

export type Control = {
	/** Draws with it from now on, in the next program too. */
	chooseTheme(theme: Theme): void;
	/** All is drawn anew. */
	changeLook(change: Partial<Appearance>): void;
	/** A picture is opened: how it is drawn is asked for, once. */
	askPictures(): void;
	showOverlay(overlay: Overlay | null): void;
	setService(facts: ProfileInfo): void;
	setConnection(connection: Connection): void;
	quit(): void;
	suspend(): void;
	redraw(): void;
	/** After the way to the service has failed: tries again. */
	reconnect(): void;
};

const LIST_OF_SERVERS = '/api/servers';

/**
 * The service refused the key, and has answered neither that call nor the list of servers otherwise since. Other answers
 * prove nothing: a catalogue may be open to everybody.
 */
export const isKeyRefused = ({requests}: {readonly requests: readonly RequestEntry[]}): boolean => {
	const answeredSince = new Set<string>();
	for (let at = requests.length - 1; at >= 0; at--) {
		const {took, status, problem, path} = requests[at] as RequestEntry;
		if (took === null || status === undefined) continue;
		if (problem === 'auth') return !answeredSince.has(path);
		if (path === LIST_OF_SERVERS) return false;
		answeredSince.add(path);
	}
	return false;
};

const connecting = ({isLocal, serviceName}: ProfileInfo): Connection => ({
	status: 'connecting',
	doing: isLocal ? 'starting the local service' : `asking ${serviceName}`,
});

const firstSession = ({
	facts = LOCAL_PROFILE,
	rebound = {},
	columns = ALL_COLUMNS,
	colourDepth = 24,
}: Deps): SessionState => ({
	...facts,
	pictureLook: {how: 'blocks', why: 'not asked yet'},
	connection: connecting(facts),
	rebound,
	columns,
	colourDepth,
	look: currentAppearance(),
	theme: currentAppearance().theme,
});

export const control = part(
	'control',
	({
		get,
		set,
		deps: {
			askPictures: ask,
			keepTheme,
			showOverlay = () => {},
			reconnect: again = () => {},
			quit = () => {},
			suspend = () => {},
			redraw = () => {},
		},
	}: App): Control => ({
		askPictures: () => ask?.(pictureLook => set({pictureLook})),
		chooseTheme(theme) {
			set({theme});
			void keepTheme?.(theme).then(
				() => notices(get).notify('good', `Theme set to ${theme} and saved`),
				(error: unknown) => notices(get).notify('bad', `Theme ${theme} until you leave: ${messageOf(error)}`),
			);
		},
		changeLook(change) {
			setAppearance({...currentAppearance(), ...change});
			set({look: currentAppearance()});
		},
		quit,
		suspend,
		redraw,
		showOverlay,
		setService: now => set(now),
		setConnection: connection => set({connection}),
		reconnect() {
			set({connection: connecting(get())});
			again();
		},
	}),
	firstSession,
);
