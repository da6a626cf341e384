/**
 * Reads a program's output to its terminal in pieces that may end anywhere, and counts each kind of
 * control sequence.
 */
export type ControlReader = {
	read(chunk: string): void;
	/**
	 * Number of occurrences of each control: `CSI ?2026h`, `CSI 2J`, `OSC 52`, `ESC c`, `U+0007`.
	 * Colours are counted only if they blink, conceal or are unknown.
	 */
	readonly counts: ReadonlyMap<string, number>;
};

const SEQUENCE =
	/\u001B(?:\[([<-?]*)([\d;:]*)([ -/]*)([@-~])|([\]PX^_])([^\u0007\u001B\u009C]*)(?:\u0007|\u009C|\u001B\\)|([ -/]*)([0-OQ-WYZ`-~]))/y;
const LONGEST = 100_000;
/**
 * Characters that control a terminal or are invisible. Excludes the joiner and the variation
 * selectors, which emoji need.
 */
const UNSEEN =
	/[\u0000-\u0009\u000B\u000C\u000E-\u001F\u007F-\u009F]|[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Line_Separator}\p{Paragraph_Separator}]--[\u200D\uFE0E\uFE0F]]/gv;
/** Final bytes whose parameters determine the action. */
const TELLING = new Set('hlnctquprJHK');

const name = (point: number): string => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
const isColour = (value: string): boolean =>
	/^(?:|[0-4]|7|9|2[1-4]|27|29|3\d|4\d|5[0-9]|9[0-7]|10[0-7])$/.test(value);

const colourKinds = (parameters: string): string[] => {
	const values = parameters.split(';');
	const found: string[] = [];
	for (let at = 0; at < values.length; at++) {
		const value = values[at] ?? '';
		if (value === '38' || value === '48') at += values[at + 1] === '2' ? 4 : 2;
		else if (!isColour(value) || value.startsWith('5')) found.push(`SGR ${value}`);
	}
	return found;
};

export const createControlReader = (): ControlReader => {
	const counts = new Map<string, number>();
	let pending = '';
	const note = (kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);

	const readText = (text: string): void => {
		for (const [character] of text.matchAll(UNSEEN)) note(name(character.codePointAt(0) ?? 0));
	};
	const readSequence = (match: RegExpExecArray): void => {
		const [
			,
			prefix = '',
			parameters = '',
			between = '',
			final = '',
			string,
			data = '',
			charset = '',
			escaped = '',
		] = match;
		if (string !== undefined)
			note(
				`${{']': 'OSC', P: 'DCS', X: 'SOS', '^': 'PM', _: 'APC'}[string] ?? string} ${data.split(';', 1)[0]?.slice(0, 8) ?? ''}`,
			);
		else if (final === '') note(`ESC ${charset}${escaped}`);
		else if (final === 'm' && prefix + between === '') for (const kind of colourKinds(parameters)) note(kind);
		else note(`CSI ${prefix}${TELLING.has(final) ? parameters : ''}${between}${final}`);
		readText(data);
	};

	return {
		counts,
		read(chunk) {
			const text = pending + chunk;
			let at = 0;
			pending = '';
			for (;;) {
				const escape = text.indexOf('\u001B', at);
				readText(text.slice(at, escape === -1 ? undefined : escape));
				if (escape === -1) return;
				SEQUENCE.lastIndex = escape;
				const match = SEQUENCE.exec(text);
				if (match) {
					readSequence(match);
					at = SEQUENCE.lastIndex;
				} else if (
					text.length - escape < LONGEST &&
					/^\u001B(?:\[[\d;:<-?]*[ -/]*|[\]PX^_][^\u0007\u001B\u009C]*\u001B?|[ -/]*)?$/.test(
						text.slice(escape),
					)
				) {
					pending = text.slice(escape);
					return;
				} else {
					note('a broken sequence');
					at = escape + 1;
				}
			}
		},
	};
};
