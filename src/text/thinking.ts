/** A piece of an answer, or of what a model thought before it. */
export type AnswerPiece = {readonly kind: 'text' | 'reasoning'; readonly text: string};

const OPEN = '<think>';
const CLOSE = '</think>';

/** How much of the end of a text may be the beginning of `mark`. */
const begunAtEnd = (text: string, mark: string): number => {
	for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
		if (text.endsWith(mark.slice(0, length))) return length;
	return 0;
};

/**
 * Tells what a model thought, in `<think>` at the beginning of its text, from its answer: the same for every cut of the text. Further on the
 * tag is a part of the answer, as in one about it. Empty lines behind the thinking are left out.
 */
export const createThinkingFilter = () => {
	let isThinking = false;
	let isAnswer = false;
	let hasThought = false;
	/** Read, and not handed over yet. */
	let held = '';

	const answer = (): readonly AnswerPiece[] => {
		const text = hasThought ? held.replace(/^\s*\n/, '') : held;
		isAnswer = true;
		held = '';
		return text === '' ? [] : [{kind: 'text', text}];
	};
	const read = (): readonly AnswerPiece[] => {
		if (isThinking) {
			const at = held.indexOf(CLOSE);
			const end = at === -1 ? held.length - begunAtEnd(held, CLOSE) : at;
			const thought: readonly AnswerPiece[] =
				end === 0 ? [] : [{kind: 'reasoning', text: held.slice(0, end)}];
			held = held.slice(at === -1 ? end : end + CLOSE.length);
			if (at === -1) return thought;
			isThinking = false;
			return [...thought, ...read()];
		}
		const begun = held.trimStart();
		if (begun.startsWith(OPEN)) {
			held = begun.slice(OPEN.length);
			isThinking = true;
			hasThought = true;
			return read();
		}
		return OPEN.startsWith(begun) ? [] : answer();
	};

	return {
		/** Takes the next fragment, cut anywhere. */
		push(fragment: string): readonly AnswerPiece[] {
			if (isAnswer) return fragment === '' ? [] : [{kind: 'text', text: fragment}];
			held += fragment;
			return read();
		},
		/** The answer has ended: hands over what was held back. */
		end(): readonly AnswerPiece[] {
			if (!isThinking) return isAnswer ? [] : answer();
			const rest = held;
			held = '';
			return rest === '' ? [] : [{kind: 'reasoning', text: rest}];
		},
	};
};
