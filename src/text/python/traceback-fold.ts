import {label} from '../safe.ts';
import {withoutColours} from '../width/width.ts';
import {tracebackParts, type TracebackPart} from './traceback.ts';

/** Lines that are shown, or frames that are folded to one row. */
export type TracebackPiece =
	| {readonly kind: 'lines'; readonly lines: readonly string[]; readonly isFrame: boolean}
	| {
			readonly kind: 'folded';
			readonly frames: number;
			/** Packages and modules of the frames, each once; empty if some are the user's own. */
			readonly libraries: readonly string[];
			/** Indentation of the frame's head, with the margin of an exception group. */
			readonly margin: string;
			readonly hasBlankBelow: boolean;
	  };

/** Maximum number of frames of the user's own; of more, the first and the last ones are shown. */
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

/** Indexes of the frames that stay open. */
const openFrames = (parts: readonly TracebackPart[]): ReadonlySet<number> => {
	const own = parts.flatMap((part, index) => (part.frame !== null && !isLibrary(part) ? [index] : []));
	return new Set(own.length <= OWN.most ? own : [...own.slice(0, OWN.first), ...own.slice(-OWN.last)]);
};

/**
 * A traceback with the user's own frames, and with each run of other frames folded. Null if it
 * has no frame, as in other languages.
 */
export const foldTraceback = (text: string): readonly TracebackPiece[] | null => {
	const parts = tracebackParts(text);
	if (parts.every(({frame}) => frame === null)) return null;
	const open = openFrames(parts);
	const pieces: TracebackPiece[] = [];
	let run: TracebackPart[] = [];
	const endRun = (): void => {
		// A folded run takes up a row itself, so folding a single line gains nothing.
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

/** A traceback with one line for each frame in a library, for output that cannot be unfolded. */
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

/** Number of folded frames, and their libraries. */
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
