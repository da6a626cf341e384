import type {ViewportText} from '../../text/columns/viewport.ts';
import type {Viewer} from './viewer/open-file.ts';
import {withoutEnd} from '../../text/ends.ts';

/** The marked lines unchanged, with line ends; without marks the whole file. */
export const markedText = ({index}: ViewportText, mark: Viewer['mark']): string => {
	if (mark === null) return index.text;
	const last = Math.max(mark.from, mark.to);
	return index.text.slice(
		index.start(Math.min(mark.from, mark.to)),
		last + 1 < index.count ? index.start(last + 1) : index.text.length,
	);
};

/** `12` or `12-15`, counted from 1. */
export const rangeText = ({from, to}: {readonly from: number; readonly to: number}): string => {
	const [first, last] = [Math.min(from, to) + 1, Math.max(from, to) + 1];
	return first === last ? `${first}` : `${first}-${last}`;
};

/** Lines from within a block, without its indentation. */
export const dedented = (text: string): string => {
	const lines = withoutEnd(text, '\r\n').split('\n');
	const indents = lines.filter(line => line.trim() !== '').map(line => /^[ \t]*/.exec(line)?.[0] ?? '');
	const least = indents.reduce(
		(shortest, indent) => (indent.length < shortest.length ? indent : shortest),
		indents[0] ?? '',
	);
	return indents.every(indent => indent.startsWith(least))
		? lines.map(line => (line.startsWith(least) ? line.slice(least.length) : line)).join('\n')
		: lines.join('\n');
};
