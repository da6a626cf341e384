/**
 * Detects the keys with which the user leaves a shell: `~.` after Enter, as in ssh. `~~` sends one
 * `~`.
 */
export type LeaveKeys = {
	/**
	 * `text`: input to send to the shell. `leaves`: true if the keys were typed; later input is
	 * dropped.
	 */
	take(typed: string): {readonly text: string; readonly leaves: boolean};
};

const PASTE = ['\u001B[200~', '\u001B[201~'] as const;

/** Passes bracketed pastes through unchanged. */
export const createLeaveKeys = (): LeaveKeys => {
	let isAtStart = true;
	let isHeld = false;
	let isPasting = false;
	/** Last characters of the input, because a paste mark may arrive in pieces. */
	let last = '';

	return {
		take(typed) {
			let text = '';
			for (const unit of typed) {
				last = (last + unit).slice(-PASTE[0].length);
				if (isHeld) {
					isHeld = false;
					if (unit === '.') return {text, leaves: true};
					if (unit !== '~') text += '~';
					isAtStart = false;
				} else if (unit === '~' && isAtStart && !isPasting) {
					isHeld = true;
					continue;
				}
				text += unit;
				if (last === PASTE[isPasting ? 1 : 0]) isPasting = !isPasting;
				isAtStart = unit === '\r' || unit === '\n';
			}
			return {text, leaves: false};
		},
	};
};
