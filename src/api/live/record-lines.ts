import {jsonIn} from '../../text/record.ts';

/** Line of a record: the message's number in its session, and the message. */
export const messageLine = (number: number, text: string): string =>
	// Line breaks in JSON are only between tokens, so they can be replaced.
	`${number} ${text.replaceAll(/[\r\n]/g, ' ')}`;

/**
 * Line of a recording for input, with the text shown in the cell. For secret input, this text is
 * only a line break.
 */
export const echoLine = (echo: string): string => `answered ${JSON.stringify(echo)}`;

type RecordLine = {readonly number: number; readonly text?: string; readonly echo?: string};

/** Messages and inputs in a record. Skips a line that was cut off when the program was killed. */
export const recordedLines = (lines: readonly string[]): readonly RecordLine[] =>
	lines.flatMap((line): readonly RecordLine[] => {
		const space = line.indexOf(' ');
		const [head, text] = [line.slice(0, space), line.slice(space + 1)];
		if (head === 'answered') {
			const echo = jsonIn(text);
			return typeof echo === 'string' ? [{number: 0, echo}] : [];
		}
		return /^\d{1,12}$/.test(head) ? [{number: Number(head), text}] : [];
	});
