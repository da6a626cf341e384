/** Kind of a character by its effect on the screen, for untrusted text. */
export const KIND = {
	plain: 1,
	/** Combines with the preceding character. */
	mark: 2,
	/** Invisible, or changes the direction of the following text. */
	hidden: 3,
	emoji: 4,
	/** Skin tone. */
	modifier: 5,
	/** Text or emoji style (VS15, VS16). */
	selector: 6,
	/** ZWJ, which joins several emoji into one. */
	joiner: 7,
	/** Control character: C0, DEL or C1. */
	control: 8,
	/** Lone surrogate. */
	broken: 9,
} as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

let patterns: {readonly hidden: RegExp; readonly mark: RegExp; readonly emoji: RegExp} | undefined;

const classify = (point: number): Kind => {
	if (point === 0x200d) return KIND.joiner;
	if (point === 0xfe0e || point === 0xfe0f) return KIND.selector;
	if (point >= 0x1f3fb && point <= 0x1f3ff) return KIND.modifier;
	if (point >= 0xd800 && point <= 0xdfff) return KIND.broken;
	// Excludes Arabic number signs and similar characters, which are visible although their
	// category is Format.
	patterns ??= {
		hidden:
			/[[\p{Default_Ignorable_Code_Point}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}]--[\u{600}-\u{605}\u{6DD}\u{890}\u{891}\u{8E2}\u{110BD}\u{110CD}]]/v,
		mark: /\p{Mark}/u,
		emoji: /\p{Extended_Pictographic}/u,
	};
	const character = String.fromCodePoint(point);
	if (patterns.hidden.test(character)) return KIND.hidden;
	if (patterns.mark.test(character)) return KIND.mark;
	return patterns.emoji.test(character) ? KIND.emoji : KIND.plain;
};

// Cache for the first two planes, which contain nearly all text. 0 means not classified yet.
const TABLE_SIZE = 0x20000;
let table: Uint8Array | undefined;

export const kindOf = (point: number): Kind => {
	if (point < 0x300) {
		if (point < 0x20 || (point >= 0x7f && point <= 0x9f)) return KIND.control;
		if (point === 0xad) return KIND.hidden;
		return point === 0xa9 || point === 0xae ? KIND.emoji : KIND.plain;
	}

	if (point >= TABLE_SIZE) return classify(point);
	table ??= new Uint8Array(TABLE_SIZE);
	const known = table[point];
	if (known !== undefined && known !== 0) return known as Kind;
	const kind = classify(point);
	table[point] = kind;
	return kind;
};
