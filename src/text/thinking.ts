/** Piece of an answer, or of the model's reasoning that precedes the answer. */
export type AnswerPiece = {readonly kind: 'text' | 'reasoning'; readonly text: string};

const OPEN = '<think>';
const CLOSE = '</think>';

/** Length of the end of a text that may be the start of `mark`, in UTF-16 units. */
const begunAtEnd = (text: string, mark: string): number => {
	for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
		if (text.endsWith(mark.slice(0, length))) return length;
	return 0;
};

/**
 * Separates a model's reasoning, which is in `<think>` at the start of the text, from its answer.
 * The result does not depend on how the text is split into fragments. A later `<think>` is part of
 * the answer. Drops blank lines after the reasoning.
 */
export const createThinkingFilter = () => {
	let isThinking = false;
	let isAnswer = false;
	let hasThought = false;
	/** Received text that was not returned yet. */
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
		/** Takes the next fragment, which may be split anywhere. */
		push(fragment: string): readonly AnswerPiece[] {
			if (isAnswer) return fragment === '' ? [] : [{kind: 'text', text: fragment}];
			held += fragment;
			return read();
		},
		/** Ends the text. Returns the rest of it. */
		end(): readonly AnswerPiece[] {
			if (!isThinking) return isAnswer ? [] : answer();
			const rest = held;
			held = '';
			return rest === '' ? [] : [{kind: 'reasoning', text: rest}];
		},
	};
};
