import type {StateCreator} from 'zustand/vanilla';
import type {Deps} from './deps.ts';

/** UTF-8 bytes that terminals take at once: xterm's buffer, base64 taken off, is the smallest of those in use. */
const MOST = 74_994;

export type ClipboardSlice = {
	/** Copies text to the terminal's clipboard, over SSH too. Answers what is known of it, `what` first: `The command was sent …`. */
	copy(text: string, what: string): string;
};

export const createClipboardSlice = ({copy}: Deps): StateCreator<ClipboardSlice, [], [], ClipboardSlice> => () => ({
	copy(text, what) {
		const bytes = Buffer.byteLength(text);
		copy(text);
		return bytes > MOST ? `${what} was sent to the terminal's clipboard; it is long (${Math.round(bytes / 1000)} K), and not every terminal takes it` : `${what} was sent to the terminal's clipboard`;
	},
});
