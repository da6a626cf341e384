import {keyFor} from '../../../text/key-name.ts';
import type {Copied} from './deps.ts';
import {part, type App} from '../app.ts';
import {notices} from './notices.ts';

/**
 * Maximum number of UTF-8 bytes that all terminals accept. The smallest buffer in use is xterm's,
 * which stores the text as base64.
 */
const MOST = 74_994;

export type Clipboard = {
	/**
	 * Copies text and shows a notice with the outcome. `what` starts the notice: `The command was
	 * copied …`. A secret never appears on the screen.
	 */
	copy(text: string, what: string, isSecret?: boolean): void;
	/**
	 * Prints the text that was copied last, so that the user can select it with the mouse. Returns
	 * a sentence if it cannot.
	 */
	showCopied(): string | void;
};

const tells = (
	{isInClipboard, isInTmux, isAsked}: Copied,
	what: string,
	isSecret: boolean,
	bytes: number,
): string => {
	if (isInClipboard)
		return `${what} was copied to the clipboard${isInTmux ? ' and to the buffer of tmux' : ''}`;
	const isLong =
		isAsked && bytes > MOST ? `, which may be too long for it (${Math.round(bytes / 1000)} K)` : '';
	const instead = isSecret
		? 'svc-tui server open --with-token prints it'
		: `${keyFor('always.showCopied')} shows it`;
	return `${what} ${isInTmux ? 'is in the buffer of tmux, and ' : ''}was sent to the terminal${isLong}; if nothing arrived, ${instead}`;
};

export const clipboard = part('clipboard', ({get, deps: {copy, show}}: App): Clipboard => {
	/** The text that was copied last; null if it was a secret, undefined if none was copied. */
	let last: string | null | undefined;
	return {
		copy(text, what, isSecret = false) {
			last = isSecret ? null : text;
			void copy(text).then(copied =>
				notices(get).notify('info', tells(copied, what, isSecret, Buffer.byteLength(text))),
			);
		},
		showCopied() {
			if (last === undefined) return 'Nothing was copied yet';
			if (last === null)
				return 'A token is not shown on the screen: svc-tui server open NAME --with-token prints it';
			void show(last).then(isShown => {
				if (!isShown) notices(get).notify('info', 'The terminal is busy. Press the key again');
			});
		},
	};
});
