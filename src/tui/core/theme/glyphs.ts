/**
 * Marks used on the screens. Each character is one cell wide, is listed once, and has a single
 * meaning. A word always accompanies it, because a mark or colour alone must not be the only sign
 * of a state.
 */
export const glyph = {
	/** The selected row. */
	cursor: '▸',
	/** Prompt before typed text. */
	prompt: '›',
	/** A sentence to the user, neither good nor bad. */
	notice: '◇',
	// Hollow triangles, so that users do not mistake them for the cursor.
	/** A folded row, which contains more rows. */
	folded: '▹',
	/** An unfolded row, with its content below. */
	unfolded: '▿',
	/** A usable server or service. */
	ready: '●',
	/** Work in progress. */
	starting: '◌',
	/** A server that is not running. */
	offline: '○',
	/** A state that has no mark of its own; also a separator. */
	other: '·',
	/** Choices: selected or not. */
	chosen: '■',
	notChosen: '□',
	/** Position on a scale. */
	here: '◆',
	/** `yes`: done, true, available. `no`: failed, false, unavailable. */
	yes: '✓',
	no: '✗',
	/** Empty value. */
	none: '—',
	/** A task that waits for the user. */
	waits: '?',
	/** `down`: towards the end, or less. `up`: towards the start, or more. */
	down: '↓',
	up: '↑',
	/** Lines or entries that are new, or gone, since the last time. */
	added: '+',
	removed: '-',
	/** More columns beyond the left or right edge. */
	moreLeft: '«',
	moreRight: '»',
	leads: '→',
	goesOn: '↪',
	atLeast: '≥',
	atMost: '≤',
	/** Bar beside the rows of one unit: an answer, a selected cell, a selection. */
	answer: '▌',
	bullet: '•',
	rule: '─',
	/** Cell of a bar in a chart. */
	bar: '━',
	halfBar: '╸',
	divider: '│',
	/**
	 * `hangs`: first cell of a divider below a rule. `branches`: cell of a divider from which a
	 * rule leads to the right.
	 */
	hangs: '┬',
	branches: '├',
	/** Part of the scroll bar for the visible rows of a list. */
	scroll: '┃',
	tick: '┼',
	topLeft: '╭',
	topRight: '╮',
	bottomLeft: '╰',
	bottomRight: '╯',
} as const;
