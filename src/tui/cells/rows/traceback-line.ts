import {foldedFramesText, type TracebackPiece} from '../../../text/python/traceback-fold.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {paint, paintCode} from '../../core/theme/theme.ts';

const FRAME = /^(\s*File )("[^"]*"|\S+)(, line )(\d+)(.*)$/s;
const ERROR =
	/^((?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Died|Restarted|Closed)?)(:.*)?$/;

const MARKS = /^\s+[~^]+\s*$/;

const RULE = /^(?:\u001B\[[\d;]*m)*-{60,}(?:\u001B\[[\d;]*m)*\n/;

/** Drops IPython's rule above a traceback, and shortens its header, made for 75 columns. */
export const narrowTraceback = (text: string, width: number): string => {
	const below = text.replace(RULE, '');
	return width >= 75 ? below : below.replace(/(?<! ) {8,}(?=Traceback \(most recent)/, '  ');
};

/**
 * IPython marks the failing code with a yellow background, on which light text is unreadable. An
 * underline replaces it.
 */
const withoutGround = (row: string): string =>
	row.replaceAll('\u001B[43m', '\u001B[4m').replaceAll(/(?<!38;5);43m/g, ';4m');

/**
 * A line of a traceback in colours, unless it already has some: the error is most prominent, then
 * the failing code. Rows of `^` marks that do not fit below their line are left out.
 */
export const tracebackLine = (line: string, width: number): readonly string[] => {
	if (line.includes('\u001B')) return [withoutGround(line)];
	if (MARKS.test(line)) return line.trimEnd().length > width ? [] : [paint('bad', line)];
	const frame = FRAME.exec(line);
	if (frame !== null) {
		const [, before = '', path = '', between = '', number = '', after = ''] = frame;
		return [
			`${paint('dim', before)}${paint('accent', path)}${paint('dim', between)}${paintCode('number', number)}${paint('dim', after)}`,
		];
	}
	const error = ERROR.exec(line);
	if (error !== null) return [`${paint('bad', paint('own', error[1] ?? ''))}${paint('bad', error[2] ?? '')}`];
	return [/^(?:Traceback|The above exception|During handling)/.test(line) ? paint('dim', line) : line];
};

type Piece<Kind extends TracebackPiece['kind']> = Extract<TracebackPiece, {kind: Kind}>;

/** The lines of a piece as one text, with its last blank line. */
export const linesText = ({lines}: Piece<'lines'>): string => `${lines.join('\n')}\n`;

/** The row that replaces folded frames, with the key that unfolds them. */
export const foldedFramesRows = (
	piece: Piece<'folded'>,
	width: number,
	unfoldKey: string | undefined,
): readonly string[] => {
	const {margin, hasBlankBelow} = piece;
	const hint = unfoldKey === undefined ? 'folded' : `${unfoldKey} unfolds`;
	const text = `${paint('busy', `… ${foldedFramesText(piece)}`)}  ${paint('dim', hint)}`;
	const rows = wrap(`${paint('dim', margin)}${text}`, width - 2, {hang: Math.min(margin.length + 2, width)});
	return [...rows.map(row => ` ${row}`), ...(hasBlankBelow ? [''] : [])];
};
