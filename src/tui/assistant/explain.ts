import {joinNames} from '../../text/join-names.ts';
import type {Packed} from './attachments.ts';
import type {ErrorPacket} from '../cells/error-packet.ts';

/** Question that asks for an explanation of an error. */
export const explainingQuestion = ({cell, error}: ErrorPacket): string =>
	`Explain this error${cell === null ? '' : ` of cell ${cell}`}: ${error}\n\nWhat would fix it?`;

const text = (value: string): string => (value.endsWith('\n') ? value : `${value}\n`);

export const packedError = ({cell, source, traceback, frames, needed}: ErrorPacket): readonly Packed[] => [
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
	...needed.map(({cell: count, source: code, names}): Packed => {
		const name = count === null ? 'An earlier cell' : `Cell ${count}`;
		return {
			mention: count === null ? '@cell' : `@cell:${count}`,
			head: `${name}, which defines or changes ${joinNames(names)}:`,
			language: 'python',
			text: text(code),
		};
	}),
];
