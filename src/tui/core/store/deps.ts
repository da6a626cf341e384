import type {BrowserPage} from '../../../api/browser-sign-in.ts';
import type {Client, SignInWays} from '../../../api/client-types.ts';
import type {EditTarget, UnsavedEdit} from '../../../storage/unsaved-edits.ts';
import type {Autosave} from '../../../storage/autosave.ts';
import type {ChosenColumns} from '../../../settings/columns.ts';
import type {ProfileInfo, Theme} from '../../../settings/profile.ts';
import type {PictureStyle} from '../../../text/output/picture.ts';
import type {PictureMode} from '../../../text/pixels/choose.ts';
import type {Size} from '../../../text/pixels/size.ts';
import type {ProfileChoice, SignIn} from '../../../settings/profile-store.ts';

/** Operations on profiles. A store never changes its profile. */
export type ProfileAccess = {
	/** @throws {Error} with a sentence if the settings cannot be read. */
	list(): Promise<readonly ProfileChoice[]>;
	/**
	 * Ends this store's session and starts another with profile `name`; null for the options with
	 * which the program was started.
	 */
	open(name: string | null): void;
	/** Resolves to a sentence if it failed. An empty profile name becomes the name of the host. */
	signIn(request: SignIn): Promise<string | void>;
	/** Ways to get a key, as the service reports them. Never rejects. */
	ways(service: Omit<SignIn, 'apiKey'>): Promise<SignInWays>;
	/**
	 * Signs in with a browser, which `open` leads to a page. Resolves to a sentence if it failed,
	 * and to null if the signal stopped it.
	 */
	keyByBrowser(
		service: Omit<SignIn, 'apiKey'>,
		given: {readonly open: (page: BrowserPage) => Promise<void>; readonly signal: AbortSignal},
	): Promise<{readonly key: string} | string | null>;
	/** Stored data of a profile. */
	known(name: string): Promise<{readonly address: string; readonly keyFile: string} | null>;
	/** Path of the key file of a new profile. */
	keyFileOf(name: string): string;
};

/** Text from an editor. */
export type EditedText = {
	readonly text: string;
	/** The private copy that was edited; it stays until it is discarded. */
	readonly path: string;
	discard(): void;
	/** Keeps the copy at the user's request; later starts do not offer it again. */
	leave(): void;
};

/** `name`: tells the editor the kind of text. `isNew`: true if the file does not exist yet. */
export type EditRequest = {
	readonly text: string;
	readonly name: string;
	readonly isNew: boolean;
	readonly about: EditTarget;
};

/** Unsaved text of the program itself, stored like a text from an editor. */
export type RecoveryCopy = Omit<EditedText, 'text'> & {
	/** Writes at once. @throws Node's error. */
	readonly write: (text: string) => void;
	/**
	 * Writes in the background, without delaying keys. True once this text or a newer one is on
	 * disk, false if the copy was discarded.
	 */
	readonly writeBehind: (pieces: Iterable<string>) => Promise<boolean>;
	/** Releases the copy at the end of this session, so that the next one offers it. */
	readonly release: () => void;
	/** Records the new path of the file whose copy this is. */
	readonly moved: (path: string) => void;
};

/** Outcome of copying text to the clipboard. */
export type Copied = {
	/** True if a program that owns the clipboard has taken the text. */
	readonly isInClipboard: boolean;
	readonly isInTmux: boolean;
	/** True if the text was sent to the terminal, which never confirms it. */
	readonly isAsked: boolean;
};

/** Bytes that draw over `height` empty rows. Positions are counted from 0. */
export type Overlay = {
	readonly x: number;
	readonly y: number;
	readonly height: number;
	readonly drawn: string;
};

/**
 * Dependencies of the store on the outside world. Features add to them; tests provide their own.
 */
export interface Deps {
	/** True if a screen reader reads the panes, one at a time. */
	readonly isSpoken?: boolean;
	/** Resolves once the service is connected; earlier actions wait for it. */
	readonly client: () => Promise<Client>;
	/** Current time in ms since the epoch. */
	readonly now: () => number;
	/** Copies text by all available means, and resolves to the outcome. */
	readonly copy: (text: string) => Promise<Copied>;
	/** Shows a text unchanged for selection; false if the terminal was not available. */
	readonly show: (text: string) => Promise<boolean>;
	/**
	 * Opens a text in $VISUAL or $EDITOR, which gets the terminal. Rejects with a sentence for the
	 * user.
	 */
	readonly edit: (request: EditRequest) => Promise<EditedText>;
	/** Stores a text that the user edits in the program. @throws {Error} with a sentence. */
	readonly keepCopy?: (request: EditRequest) => Promise<RecoveryCopy>;
	/** `save` is called before the program ends, `behind` soon after a change. */
	readonly saver?: (save: () => void, pace: {readonly behind: () => Promise<void>}) => Autosave;
	/** Copies of edited texts of this service that no running program owns. */
	readonly keptEdits?: () => Promise<readonly UnsavedEdit[]>;
	/** Opens a web address in a local browser; false if there is none. */
	readonly open: (address: string, token: string | null) => Promise<boolean>;
	/** Opens a generated PNG in this system's viewer; false if there is none. */
	readonly openPicture?: (png: Uint8Array) => Promise<boolean>;
	/** Opens a generated page in a local browser; false if there is none. */
	readonly openPage?: (html: string) => Promise<boolean>;
	/** Initial data of the service's profile; the local service's by default. */
	readonly facts?: ProfileInfo;
	/** The user's own keys, by `scope.action`. */
	readonly rebound?: Readonly<Record<string, readonly string[]>>;
	/** True if a digit repeats the move after it. */
	readonly hasCounts?: boolean;
	/** The user's choice of list columns. */
	readonly columns?: ChosenColumns;
	/** Default: 24 bits of colour and quadrants. */
	readonly pictureStyle?: PictureStyle;
	/** Asks the terminal how it draws pictures. The reply may come late, or never. */
	readonly askPictures?: (tell: (look: PictureMode) => void) => void;
	/** Draws bytes over the frame until called with null. */
	readonly showOverlay?: (overlay: Overlay | null) => void;
	/**
	 * Sends the terminal a PNG that placeholders show, and resolves to the number of the picture.
	 * `gone` is called if the picture was dropped to make room for others.
	 */
	readonly placePicture?: (base64: string, cells: Size, gone: () => void) => Promise<number>;
	readonly dropPicture?: (id: number) => void;
	readonly access?: ProfileAccess;
	/** Stores a theme in the settings. Rejects with a sentence. */
	readonly keepTheme?: (theme: Theme) => Promise<void>;
	readonly quit?: () => void;
	/** Suspends the program, as a shell's Ctrl-Z does. */
	readonly suspend?: () => void;
	readonly redraw?: () => void;
	/** Reconnects to the service after a failure. */
	readonly reconnect?: () => void;
}
