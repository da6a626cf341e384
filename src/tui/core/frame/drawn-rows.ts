// Which of the drawn rows lies below a cell: asked of Ink's own tree, so that no view has to tell where its rows stand.
import type {DOMElement} from 'ink';
import {withoutColours} from '../../../text/width/width.ts';

type Node = DOMElement['childNodes'][number];

let root: DOMElement | null = null;

/** For the `ref` of what the whole screen is drawn in. */
export const drawnIn = (element: DOMElement | null): void => {
	root = element;
};

/** Which of the rows are those of a list: the others may be in reverse, too. */
export type ListRange = {readonly from: number; readonly end: number};
export const ALL_ROWS: ListRange = {from: 0, end: Infinity};

const lists = new WeakMap<object, ListRange>();
/** For the `ref` of what holds the rows of a list. */
export const hasListOfRows = (element: DOMElement | null, range: ListRange): void => {
	if (element) lists.set(element, range);
};

/** Where on the screen something is drawn. */
export const placeOf = (element: DOMElement): {readonly left: number; readonly top: number} => {
	let [left, top] = [0, 0];
	for (let node: DOMElement | undefined = element; node !== undefined; node = node.parentNode) {
		left += node.yogaNode?.getComputedLeft() ?? 0;
		top += node.yogaNode?.getComputedTop() ?? 0;
	}
	return {left, top};
};

const textOf = (node: Node): string =>
	node.nodeName === '#text' ? node.nodeValue : node.childNodes.map(textOf).join('');

/** The row at a cell, and what it is drawn in; each is one line high. */
const rowAt = (
	node: DOMElement,
	[x, y]: readonly [number, number],
	[left, top]: readonly [number, number],
): {readonly row: Node; readonly list: DOMElement} | undefined => {
	for (const child of node.childNodes) {
		if (child.nodeName === '#text' || child.yogaNode === undefined) continue;
		const at = [left + child.yogaNode.getComputedLeft(), top + child.yogaNode.getComputedTop()] as const;
		const isOver =
			x >= at[0] &&
			x < at[0] + child.yogaNode.getComputedWidth() &&
			y >= at[1] &&
			y < at[1] + child.yogaNode.getComputedHeight();
		if (!isOver) continue;
		if (child.nodeName === 'ink-text') return {row: child, list: node};
		const found = rowAt(child, [x, y], at);
		if (found) return found;
	}
	return undefined;
};

const SELECTED = '\u001B[7m';
const isBlank = (text: string): boolean => withoutColours(text).trim() === '';

/** How many rows the one at a cell is below the highlighted one of its list; null where there is no list, or none highlighted. */
export const rowsFromCursor = (x: number, y: number): number | null => {
	const found = root === null ? undefined : rowAt(root, [x, y], [0, 0]);
	const range = found && lists.get(found.list);
	if (found === undefined || range === undefined) return null;
	const among = found.list.childNodes.slice(range.from, range.end);
	const texts = among.map(textOf);
	const cursor = texts.findIndex(text => text.includes(SELECTED));
	const at = among.indexOf(found.row);
	// Behind an empty row the list is over.
	return cursor < 0 || at < 0 || texts.slice(Math.min(cursor, at), Math.max(cursor, at) + 1).some(isBlank)
		? null
		: at - cursor;
};
