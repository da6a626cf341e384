import {jsonIn} from '../../text/record.ts';

/** A message of the kernel in a record: the how-manieth of its session it was, and itself. */
export const messageLine = (number: number, text: string): string =>
	// JSON has line ends only between its parts.
	`${number} ${text.replaceAll(/[\r\n]/g, ' ')}`;

/** What stood in the cell when a question was answered; of a secret only the end of its line. */
export const echoLine = (echo: string): string => `answered ${JSON.stringify(echo)}`;

type KeptLine = {readonly number: number; readonly text?: string; readonly echo?: string};

/** What a record holds; a line that a program was killed in is left out. */
export const recordedLines = (lines: readonly string[]): readonly KeptLine[] =>
	lines.flatMap((line): readonly KeptLine[] => {
		const space = line.indexOf(' ');
		const [head, text] = [line.slice(0, space), line.slice(space + 1)];
		if (head === 'answered') {
			const echo = jsonIn(text);
			return typeof echo === 'string' ? [{number: 0, echo}] : [];
		}
		return /^\d{1,12}$/.test(head) ? [{number: Number(head), text}] : [];
	});
