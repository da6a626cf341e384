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

/** Operations on profiles. A store keeps its profile; another profile needs a new session. */
export type ProfileAccess = {
	/** @throws {Error} with a sentence if the settings cannot be read. */
	list(): Promise<readonly ProfileChoice[]>;
	/**
	 * Ends this store's session and starts another one with profile `name`. Null selects the
	 * options that the program was started with.
	 */
	open(name: string | null): void;
	/**
	 * Checks the key at the service, stores it in a profile and opens the profile. Resolves to a
	 * sentence if that failed. An empty profile name becomes the name of the host.
	 */
	signIn(request: SignIn): Promise<string | void>;
	/** Ways to obtain an API key, as the service reports them. Never rejects. */
	ways(service: Omit<SignIn, 'apiKey'>): Promise<SignInWays>;
	/**
	 * Signs in through a page in the browser, which `open` opens. Resolves to a sentence on
	 * failure, and to null if the signal stopped it.
	 */
	keyByBrowser(
		service: Omit<SignIn, 'apiKey'>,
		given: {readonly open: (page: BrowserPage) => Promise<void>; readonly signal: AbortSignal},
	): Promise<{readonly key: string} | string | null>;
	/** Stored data of a profile; null if there is no such profile. */
	known(name: string): Promise<{readonly address: string; readonly keyFile: string} | null>;
	/** Path of the key file of a new profile. */
	keyFileOf(name: string): string;
};

/** Text from an editor. */
export type EditedText = {
	readonly text: string;
	/** Path of the private copy that was edited. The copy exists until it is discarded. */
	readonly path: string;
	discard(): void;
	/** Keeps the copy because the user chose so. Later starts no longer offer it. */
	leave(): void;
};

/**
 * `name`: file name, from which the editor infers the type of text. `isNew`: true if the file does
 * not exist yet.
 */
export type EditRequest = {
	readonly text: string;
	readonly name: string;
	readonly isNew: boolean;
	readonly about: EditTarget;
};

/** Recovery copy of text that the user edits in this program. Stored like text from an editor. */
export type RecoveryCopy = Omit<EditedText, 'text'> & {
	/** Writes before it returns. @throws {Error} from Node if the disk fails. */
	readonly write: (text: string) => void;
	/**
	 * Writes in the background, without delaying keys. Resolves to true once this text or a newer
	 * one is on disk, and to false if the copy was discarded.
	 */
	readonly writeBehind: (pieces: Iterable<string>) => Promise<boolean>;
	/**
	 * Releases the copy at the end of this session, so that the next session offers it to the user.
	 */
	readonly release: () => void;
	/** Records the new path of the edited file after a rename. */
	readonly moved: (path: string) => void;
};

/** Outcome of copying text to the clipboard. */
export type Copied = {
	/** True if a clipboard program, such as `xclip`, has accepted the text. */
	readonly isInClipboard: boolean;
	readonly isInTmux: boolean;
	/** True if the text was sent to the terminal, which never confirms that it was copied. */
	readonly isAsked: boolean;
};

/** Bytes that draw a picture over `height` empty rows. Positions count from 0. */
export type Overlay = {
	readonly x: number;
	readonly y: number;
	readonly height: number;
	readonly drawn: string;
};

/**
 * Dependencies of the store on the world outside. Features add their own to this interface; tests
 * supply replacements.
 */
export interface Deps {
	/** True if the output is for a screen reader, which reads one pane at a time. */
	readonly isSpoken?: boolean;
	/** Resolves once the service is connected. Actions before that wait for it. */
	readonly client: () => Promise<Client>;
	/** Current time in ms since the epoch. */
	readonly now: () => number;
	/** Copies text by all available means, and resolves to the outcome. */
	readonly copy: (text: string) => Promise<Copied>;
	/** Prints a text unchanged for selection with the mouse. False if the terminal is in use. */
	readonly show: (text: string) => Promise<boolean>;
	/**
	 * Opens a text in $VISUAL or $EDITOR, which takes over the terminal. Rejects with a sentence
	 * for the user.
	 */
	readonly edit: (request: EditRequest) => Promise<EditedText>;
	/**
	 * Creates a recovery copy of a text that the user edits in the program. Rejects with a
	 * sentence.
	 */
	readonly keepCopy?: (request: EditRequest) => Promise<RecoveryCopy>;
	/** Calls `save` before the program ends, and `behind` soon after a change. */
	readonly saver?: (save: () => void, pace: {readonly behind: () => Promise<void>}) => Autosave;
	/** Recovery copies for this service that no running process owns. */
	readonly keptEdits?: () => Promise<readonly UnsavedEdit[]>;
	/** Opens a web address in a local browser; false if there is none. */
	readonly open: (address: string, token: string | null) => Promise<boolean>;
	/** Opens a generated PNG in this system's viewer; false if there is none. */
	readonly openPicture?: (png: Uint8Array) => Promise<boolean>;
	/** Opens a generated page in a local browser; false if there is none. */
	readonly openPage?: (html: string) => Promise<boolean>;
	/** Initial data of the profile. Default: the local service's. */
	readonly facts?: ProfileInfo;
	/** The user's own keys, by `scope.action`. */
	readonly rebound?: Readonly<Record<string, readonly string[]>>;
	/** True if digits are counts, which repeat the movement that follows. */
	readonly hasCounts?: boolean;
	/** The user's choice of list columns. */
	readonly columns?: ChosenColumns;
	/**
	 * Colours and characters for pictures drawn in cells. Default: 24-bit colours and quadrant
	 * characters.
	 */
	readonly pictureStyle?: PictureStyle;
	/** Asks the terminal how it draws pictures. The reply may come late, or never. */
	readonly askPictures?: (tell: (look: PictureMode) => void) => void;
	/** Draws bytes over the frame, also over later frames, until called with null. */
	readonly showOverlay?: (overlay: Overlay | null) => void;
	/**
	 * Sends a PNG to the terminal, which draws it where its placeholders are. Resolves to the
	 * number of the picture. `gone` is called when the picture was dropped to make room for others.
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
