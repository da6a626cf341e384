/** Looks in what is typed for the keys that leave a shell: `~.` after Enter, as with ssh; `~~` there is one `~`. */
export type LeaveKeys = {
	/** What goes on to the shell; `leaves`: what came after the keys is dropped. */
	take(typed: string): {readonly text: string; readonly leaves: boolean};
};

const PASTE = ['\u001B[200~', '\u001B[201~'] as const;

/** What is pasted in brackets goes on as it is. */
export const createLeaveKeys = (): LeaveKeys => {
	let isAtStart = true;
	let isHeld = false;
	let isPasting = false;
	/** The last characters: a bracket may come in pieces. */
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
