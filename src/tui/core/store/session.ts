import {ALL_COLUMNS, type ChosenColumns} from '../../../settings/columns.ts';
import {LOCAL_PROFILE, type ProfileInfo, type Theme} from '../../../settings/profile.ts';
import type {PictureStyle} from '../../../text/output/picture.ts';
import {messageOf} from '../../../text/errors.ts';
import type {PictureMode} from '../../../text/pixels/choose.ts';
import type {Deps, Overlay} from './deps.ts';
import type {RequestEntry} from './requests.ts';
import {currentAppearance, setAppearance, type Appearance} from '../theme/theme.ts';
import {part, type App} from '../app.ts';
import {notices} from './notices.ts';

export type {Theme} from '../../../settings/profile.ts';

/** The service of the program, and the state of the connection. */
export type Connection =
	| {readonly status: 'connecting'; readonly doing: string}
	/**
	 * `lasts`: true if the local service was started by hand and continues after this program ends.
	 */
	| {readonly status: 'ready'; readonly lasts?: boolean}
	/** `what` and `next` are sentences for the user. */
	| {readonly status: 'failed'; readonly what: string; readonly next: string};

export type SessionState = ProfileInfo & {
	readonly connection: Connection;
	/** The user's own keys, by `scope.action`. */
	readonly rebound: Readonly<Record<string, readonly string[]>>;
	/** True if digits are counts, which repeat the movement that follows. */
	readonly hasCounts: boolean;
	/** The user's choice of list columns. */
	readonly columns: ChosenColumns;
	/** Characters for pictures that are drawn without pixels. */
	readonly pictureStyle: PictureStyle;
	readonly theme: Theme;
	/** Appearance of the terminal. */
	readonly look: Appearance;
	/** Way in which the terminal draws pictures. Known once the terminal has replied. */
	readonly pictureLook: PictureMode;
};

export type Control = {
	/** Applies a theme and stores it for later runs. */
	chooseTheme(theme: Theme): void;
	/** Changes the appearance and redraws everything. */
	changeLook(change: Partial<Appearance>): void;
	/** Asks the terminal, once, how it draws pictures. Called when a picture is opened. */
	askPictures(): void;
	showOverlay(overlay: Overlay | null): void;
	setService(facts: ProfileInfo): void;
	setConnection(connection: Connection): void;
	quit(): void;
	suspend(): void;
	redraw(): void;
	/** Tries to reach the service again after a failure. */
	reconnect(): void;
};

const LIST_OF_SERVERS = '/api/servers';

/**
 * True if the service has rejected the key and not accepted it since. Only a later response to the
 * same request, or to the list of servers, proves acceptance: other data may be public.
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
	hasCounts = false,
	columns = ALL_COLUMNS,
	pictureStyle = {depth: 24, blocks: 'quadrants'},
}: Deps): SessionState => ({
	...facts,
	pictureLook: {how: 'blocks', why: 'not asked yet'},
	connection: connecting(facts),
	rebound,
	hasCounts,
	columns,
	pictureStyle,
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
				(error: unknown) => notices(get).notify('bad', `Theme ${theme} until you quit: ${messageOf(error)}`),
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
