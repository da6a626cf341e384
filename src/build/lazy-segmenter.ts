// Replaces `new Intl.Segmenter` in Ink, because creating one costs 11 ms and few frames need it.
import {unitCells} from '../text/width/graphemes.ts';

type Segment = {readonly segment: string; readonly index: number; readonly input: string};

type Segments = Iterable<Segment> & {containing(index: number): Segment | undefined};

let made: Intl.Segmenter | undefined;

const RETURN = 0x0d;

/**
 * True for a unit that never forms a grapheme with its neighbours. A carriage return does, with a
 * line feed after it.
 */
const isSimple = (unit: number): boolean =>
	unitCells(unit) !== 0 || (unit < 0x20 && unit !== RETURN) || (unit >= 0x7f && unit <= 0x9f);

const isAllSimple = (text: string): boolean => {
	for (let index = 0; index < text.length; index++) if (!isSimple(text.charCodeAt(index))) return false;
	return true;
};

function* eachCharacter(input: string): Generator<Segment> {
	for (let index = 0; index < input.length; index++) yield {segment: input.charAt(index), index, input};
}

/**
 * Splits text into the same graphemes as `Intl.Segmenter`, which is created only for text with
 * other than simple units.
 */
export const lazySegmenter = {
	segment(text: string): Segments {
		if (isAllSimple(text)) {
			return {
				[Symbol.iterator]: () => eachCharacter(text),
				containing: index =>
					index >= 0 && index < text.length ? {segment: text.charAt(index), index, input: text} : undefined,
			};
		}
		made ??= new Intl.Segmenter();
		return made.segment(text);
	},
};
