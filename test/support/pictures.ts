// Terminals, with their replies to queries about pictures.
const KITTY = '\u001B_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001B\\';
const NAME = '\u001B[>0q';
const CELL = '\u001B[16t';
const DEVICE = '\u001B[c';
const GRAPHICS = '\u001B[?2;1;0S';

/** Replies of a terminal, by query. */
export type Replies = Readonly<Record<string, string>>;

const named = (name: string): string => `\u001BP>|${name}\u001B\\`;
const cell = {[CELL]: '\u001B[6;20;10t'};

export const TERMINALS = {
	kitty: {
		[KITTY]: '\u001B_Gi=31;OK\u001B\\',
		[NAME]: named('kitty(0.40.1)'),
		...cell,
		[DEVICE]: '\u001B[?62;c',
	},
	/** Supports the graphics, but not the placeholders. */
	oldKitty: {
		[KITTY]: '\u001B_Gi=31;OK\u001B\\',
		[NAME]: named('kitty(0.26.5)'),
		...cell,
		[DEVICE]: '\u001B[?62;c',
	},
	iterm2: {[NAME]: named('iTerm2 3.5.4'), ...cell, [DEVICE]: '\u001B[?64;1;2;4;6;17;18;21;22c'},
	sixel: {[NAME]: named('XTerm(379)'), ...cell, [DEVICE]: '\u001B[?63;1;2;4;6;9;15;16;22;28c'},
	/** A default xterm, in 160 columns and 70 rows. */
	xterm: {
		[NAME]: named('XTerm(379)'),
		[DEVICE]: '\u001B[?63;1;2;4;6;9;15;16;22;28c',
		[GRAPHICS]: '\u001B[?2;0;1600;1400S',
	},
	/** The limit for pictures is smaller than the window. */
	smallXterm: {
		[NAME]: named('XTerm(379)'),
		[DEVICE]: '\u001B[?63;1;2;4;6;9;15;16;22;28c',
		[GRAPHICS]: '\u001B[?2;0;1000;1000S',
	},
	plain: {[NAME]: named('XTerm(379)'), ...cell, [DEVICE]: '\u001B[?64;1;2;6;9;15;16;17;18;21;22;28c'},
	/** Replies with an error, sizes of zero and an invalid name. */
	liar: {
		[KITTY]: '\u001B_Gi=31;EINVAL:no\u001B\\',
		[NAME]: '\u001BP>|\u001B\\',
		[CELL]: '\u001B[6;0;99999t',
		[DEVICE]: '\u001B[?63;4c',
	},
	silent: {[DEVICE]: ''},
} as const satisfies Readonly<Record<string, Replies>>;

/** Receives text written to a terminal in pieces, and calls `send` with the terminal's replies. */
export const answering = (replies: Replies, send: (answer: string) => void) => {
	const questions = Object.keys(replies);
	const longest = Math.max(...questions.map(({length}) => length));
	let rest = '';
	return (piece: string): void => {
		rest += piece;
		for (;;) {
			const [first] = questions
				.map(question => ({question, at: rest.indexOf(question)}))
				.filter(({at}) => at >= 0)
				.toSorted((one, other) => one.at - other.at);
			if (!first) break;
			rest = rest.slice(first.at + first.question.length);
			const answer = replies[first.question] ?? '';
			if (answer !== '') send(answer);
		}
		rest = rest.slice(-longest);
	};
};
