/**
 * Marks of the screens. Each character is listed once, with its only meaning. All
 * are one cell wide. Each comes with a word, because colour alone never shows a state.
 */
export const glyph = {
	/** The selected row. */
	cursor: '▸',
	/** Prompt before typed text. */
	prompt: '›',
	/** A sentence to the user, neither good nor bad. */
	notice: '◇',
	// Hollow, so that `folded` and `unfolded` are not mistaken for the cursor.
	/** Contains more. */
	folded: '▹',
	/** Unfolded, with its content below. */
	unfolded: '▿',
	/** A usable server or service. */
	ready: '●',
	/** Work in progress. */
	starting: '◌',
	/** A server that is not running. */
	offline: '○',
	/** A state without a mark of its own; also a separator. */
	other: '·',
	/** Choices: selected or not. */
	chosen: '■',
	notChosen: '□',
	/** Position on a scale. */
	here: '◆',
	/** Done, true, available; failed, false, unavailable. */
	yes: '✓',
	no: '✗',
	/** Empty value. */
	none: '—',
	/** Waits for the user. */
	waits: '?',
	/** Towards the end, or less; towards the start, or more. */
	down: '↓',
	up: '↑',
	/** New or gone since the last time. */
	added: '+',
	removed: '-',
	/** Beyond the edge. */
	moreLeft: '«',
	moreRight: '»',
	leads: '→',
	goesOn: '↪',
	atLeast: '≥',
	atMost: '≤',
	caseVariant: '≠',
	/** Bar beside the rows of one unit: an answer, a selected cell, a selection. */
	answer: '▌',
	bullet: '•',
	rule: '─',
	/** Cell of a bar in a chart. */
	bar: '━',
	divider: '│',
	/** First cell of a divider below a rule, and one with a rule at its right. */
	hangs: '┬',
	branches: '├',
	/** Visible part of a list, and its position. */
	scroll: '┃',
	tick: '┼',
	topLeft: '╭',
	topRight: '╮',
	bottomLeft: '╰',
	bottomRight: '╯',
} as const;
