import type {Packed} from './attachments.ts';
import type {ErrorPacket} from '../cells/error-packet.ts';

/** Question for an explanation, with its attachments. */
export const explainingQuestion = ({cell, error}: ErrorPacket): string =>
	`Explain this error${cell === null ? '' : ` of cell ${cell}`}: ${error}\n\nWhat would fix it?`;

const text = (value: string): string => (value.endsWith('\n') ? value : `${value}\n`);

export const packedError = ({cell, source, traceback, frames}: ErrorPacket): readonly Packed[] => [
	{
		mention: cell === null ? '@cell' : `@cell:${cell}`,
		head: 'The code that raised it:',
		language: 'python',
		text: text(source),
	},
	{mention: '@error', head: 'The traceback:', language: '', text: text(traceback)},
	...frames.map(({path, line, first, text: lines}): Packed => {
		const last = first + lines.replace(/\n$/, '').split('\n').length - 1;
		return {
			mention: `@${path}#L${first}-${last}`,
			head: `Lines ${first} to ${last} of the file ${path}, where line ${line} is in the traceback:`,
			language: 'python',
			text: text(lines),
		};
	}),
];
