import type {Client} from '../../../api/client-types.ts';
import type {EditTarget, UnsavedEdit} from '../../../storage/unsaved-edits.ts';
import type {Autosave} from '../../../storage/autosave.ts';
import type {ChosenColumns} from '../../../settings/columns.ts';
import type {ProfileInfo, Theme} from '../../../settings/profile.ts';
import type {ColourDepth} from '../../../text/output/picture.ts';
import type {PictureMode} from '../../../text/pixels/choose.ts';
import type {Size} from '../../../text/pixels/size.ts';
import type {ProfileChoice, SignIn} from '../../../settings/profile-store.ts';

/** What the program does about its profiles; a store belongs to one of them for good. */
export type ProfileAccess = {
	/** @throws {Error} with a sentence when the settings cannot be read. */
	list(): Promise<readonly ProfileChoice[]>;
	/** Ends this store's session and begins another; null: with what the program was started with. */
	open(name: string | null): void;
	/** A sentence when it was not stored. An empty profile is named after the host. */
	signIn(request: SignIn): Promise<string | void>;
	/** Where users of a service make their keys, as it says itself; null where it does not say. Never rejects. */
	keyPage(service: Omit<SignIn, 'apiKey'>): Promise<string | null>;
	/** What is known of a profile. */
	known(name: string): Promise<{readonly address: string; readonly keyFile: string} | null>;
	/** Where the key of a new profile goes. */
	keyFileOf(name: string): string;
};

/** What an editor has made of a text. */
export type EditedText = {
	readonly text: string;
	/** The private copy that was edited; it stays until it is discarded. */
	readonly path: string;
	discard(): void;
	/** It stays because the user wanted so: no start tells of it. */
	leave(): void;
};

/** `name` tells the editor the kind of text. `isNew`: of a file that is not there yet. */
export type EditRequest = {
	readonly text: string;
	readonly name: string;
	readonly isNew: boolean;
	readonly about: EditTarget;
};

/** A text of the program's own that nobody has saved yet, kept as one that an editor works on. */
export type RecoveryCopy = Omit<EditedText, 'text'> & {
	/** At once. @throws Node's error */
	readonly write: (text: string) => void;
	/** While keys are answered: the newest text wins, and one that is not wanted any more is no error. */
	readonly writeBehind: (pieces: Iterable<string>) => Promise<void>;
	/** This session ends: the next one offers it. */
	readonly release: () => void;
	/** The file that it belongs to has another path now. */
	readonly moved: (path: string) => void;
};

/** What is known of a text that was copied. */
export type Copied = {
	/** A program that owns the clipboard has taken it. */
	readonly isInClipboard: boolean;
	readonly isInTmux: boolean;
	/** The terminal was asked for it, which never answers. */
	readonly isAsked: boolean;
};

/** Bytes that draw over `height` empty rows from a place on, all counted from 0. */
export type Overlay = {
	readonly x: number;
	readonly y: number;
	readonly height: number;
	readonly drawn: string;
};

/** What the store needs from outside, to which rooms add; every test makes its own. */
export interface Deps {
	/** Resolves once the service is connected; actions asked for before that wait for it. */
	readonly client: () => Promise<Client>;
	/** Milliseconds since the epoch. */
	readonly now: () => number;
	/** Copies text by what there is, and answers what is known of it. */
	readonly copy: (text: string) => Promise<Copied>;
	/** Shows a text as it is, to be selected; false when the terminal could not be had. */
	readonly show: (text: string) => Promise<boolean>;
	/** Opens a text in $VISUAL or $EDITOR, with the terminal lent to it. Rejects with a sentence for the user. */
	readonly edit: (request: EditRequest) => Promise<EditedText>;
	/** Keeps a text that is changed here. @throws {Error} with a sentence */
	readonly keepCopy?: (request: EditRequest) => Promise<RecoveryCopy>;
	/** What calls `save` before the program ends, and `behind` soon after a change. */
	readonly saver?: (save: () => void, pace: {readonly behind: () => Promise<void>}) => Autosave;
	/** Copies of texts of this service that were edited and are nobody's now. */
	readonly keptEdits?: () => Promise<readonly UnsavedEdit[]>;
	/** Gives a web address to a browser here; false when there is none. */
	readonly open: (address: string, token: string | null) => Promise<boolean>;
	/** Gives a PNG of our own making to this system's viewer; false when there is none. */
	readonly openPicture?: (png: Uint8Array) => Promise<boolean>;
	/** The service's profile as far as it is known at first; without it, that of the local service. */
	readonly facts?: ProfileInfo;
	/** Keys of the user's own, by `scope.action`. */
	readonly rebound?: Readonly<Record<string, readonly string[]>>;
	/** Those of the lists that the user has chosen. */
	readonly columns?: ChosenColumns;
	/** Bits of a colour that the terminal can show; 24 by default. */
	readonly colourDepth?: ColourDepth;
	/** Asks how the terminal draws pictures, which it may tell late, or never. */
	readonly askPictures?: (tell: (look: PictureMode) => void) => void;
	/** Draws over the frame until it is called with null. */
	readonly showOverlay?: (overlay: Overlay | null) => void;
	/** Sends the terminal a PNG for placeholders, and answers the number that they have. `gone`: it had to make room for others. */
	readonly placePicture?: (base64: string, cells: Size, gone: () => void) => Promise<number>;
	readonly dropPicture?: (id: number) => void;
	readonly access?: ProfileAccess;
	/** Puts a theme into the settings. Rejects with a sentence. */
	readonly keepTheme?: (theme: Theme) => Promise<void>;
	/** Ends the program. */
	readonly quit?: () => void;
	/** Stops it as a shell's Ctrl-Z does. */
	readonly suspend?: () => void;
	/** Draws the whole screen anew. */
	readonly redraw?: () => void;
	/** Tries again to reach the service after that has failed. */
	readonly reconnect?: () => void;
}
