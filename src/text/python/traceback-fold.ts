import {label} from '../safe.ts';
import {withoutColours} from '../width/width.ts';
import {tracebackParts, type TracebackPart} from './traceback.ts';

/** Part of a folded traceback: lines that are shown, or frames that are folded into one row. */
export type TracebackPiece =
	| {readonly kind: 'lines'; readonly lines: readonly string[]; readonly isFrame: boolean}
	| {
			readonly kind: 'folded';
			readonly frames: number;
			/**
			 * Packages and standard library modules of the frames, without duplicates. Empty if
			 * some frames are the user's own code.
			 */
			readonly libraries: readonly string[];
			/**
			 * Indentation of the first frame's header, including the margin of an exception group.
			 */
			readonly margin: string;
			readonly hasBlankBelow: boolean;
	  };

/**
 * Maximum number of the user's own frames that are all shown. If there are more, only the first and
 * the last ones are.
 */
const OWN = {most: 16, first: 5, last: 10} as const;

const isLibrary = ({frame}: TracebackPart): boolean => frame !== null && frame.library !== null;
const hasBlankBelow = ({lines}: TracebackPart): boolean => lines.length > 1 && lines.at(-1)?.trim() === '';

const folded = (run: readonly TracebackPart[]): TracebackPiece => {
	const last = run.at(-1);
	return {
		kind: 'folded',
		frames: run.length,
		libraries: run.every(isLibrary) ? [...new Set(run.flatMap(({frame}) => frame?.library ?? []))] : [],
		margin: /^[ |]*/.exec(withoutColours(run[0]?.lines[0] ?? ''))?.[0] ?? '',
		hasBlankBelow: last !== undefined && hasBlankBelow(last),
	};
};

/** Indexes of the frames that are not folded. */
const openFrames = (parts: readonly TracebackPart[]): ReadonlySet<number> => {
	const own = parts.flatMap((part, index) => (part.frame !== null && !isLibrary(part) ? [index] : []));
	return new Set(own.length <= OWN.most ? own : [...own.slice(0, OWN.first), ...own.slice(-OWN.last)]);
};

/**
 * Traceback that shows the user's own frames and folds each run of other frames. Null if there are
 * no frames, as in other languages.
 */
export const foldTraceback = (text: string): readonly TracebackPiece[] | null => {
	const parts = tracebackParts(text);
	if (parts.every(({frame}) => frame === null)) return null;
	const open = openFrames(parts);
	const pieces: TracebackPiece[] = [];
	let run: TracebackPart[] = [];
	const endRun = (): void => {
		// A folded run takes up one row, so folding a single line would gain nothing.
		const lines = run.flatMap(part => part.lines);
		if (lines.filter(line => line.trim() !== '').length > 1) pieces.push(folded(run));
		else if (lines.length > 0) pieces.push({kind: 'lines', lines, isFrame: true});
		run = [];
	};
	for (const [index, part] of parts.entries()) {
		if (part.frame !== null && !open.has(index)) {
			run.push(part);
			continue;
		}
		endRun();
		pieces.push({kind: 'lines', lines: part.lines, isFrame: part.frame !== null});
	}
	endRun();
	return pieces;
};

/** Traceback in which each library frame is one line, for output that cannot be unfolded. */
export const shortTraceback = (text: string): string => {
	const parts = tracebackParts(text);
	return parts
		.flatMap((part, index) => {
			if (!isLibrary(part)) return part.lines;
			const next = parts[index + 1];
			const isLast = next === undefined || !isLibrary(next);
			return [...part.lines.slice(0, 1), ...(isLast && hasBlankBelow(part) ? [''] : [])];
		})
		.join('\n');
};

/** Text of a folded run: number of frames and their libraries. */
export const foldedFramesText = ({frames, libraries}: Extract<TracebackPiece, {kind: 'folded'}>): string => {
	const count = frames.toLocaleString('en');
	const noun = frames === 1 ? 'frame' : 'frames';
	const shown = libraries.slice(0, 3).map(name => label(name, 40));
	const more = libraries.length - shown.length;
	const names =
		more > 0
			? `${shown.join(', ')} and ${more} more`
			: shown.length < 2
				? shown.join('')
				: `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
	return names === '' ? `${count} more ${noun}` : `${count} ${noun} in ${names}`;
};
