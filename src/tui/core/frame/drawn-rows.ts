// Finds the drawn row at a cell through Ink's own tree, so that no view has to report the positions
// of its rows.
import type {DOMElement} from 'ink';
import {withoutColours} from '../../../text/width/width.ts';
import {hasSelection} from '../theme/theme.ts';

type Node = DOMElement['childNodes'][number];

let root: DOMElement | null = null;

/** Registers the element that contains the whole screen; use as its `ref`. */
export const drawnIn = (element: DOMElement | null): void => {
	root = element;
};

/** Range of a list's rows. Rows outside may be in reverse video too, like the highlighted row. */
export type ListRange = {readonly from: number; readonly end: number};
export const ALL_ROWS: ListRange = {from: 0, end: Infinity};

const lists = new WeakMap<object, ListRange>();
/** Registers the element that contains a list's rows; use in its `ref`. */
export const hasListOfRows = (element: DOMElement | null, range: ListRange): void => {
	if (element) lists.set(element, range);
};

const textOf = (node: Node): string =>
	node.nodeName === '#text' ? node.nodeValue : node.childNodes.map(textOf).join('');

/** Row at a cell, and the element that contains the rows around it. Each row is one line high. */
const rowAt = (
	node: DOMElement,
	[x, y]: readonly [number, number],
	[left, top]: readonly [number, number],
): {readonly row: Node; readonly list: DOMElement} | undefined => {
	// A later child covers an earlier one.
	for (const child of node.childNodes.toReversed()) {
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

const isBlank = (text: string): boolean => withoutColours(text).trim() === '';

/**
 * Distance from the list's highlighted row to the row at a cell; null without a list or a
 * highlighted row.
 */
export const rowsFromCursor = (x: number, y: number): number | null => {
	const found = root === null ? undefined : rowAt(root, [x, y], [0, 0]);
	const range = found && lists.get(found.list);
	if (found === undefined || range === undefined) return null;
	const among = found.list.childNodes.slice(range.from, range.end);
	const texts = among.map(textOf);
	const cursor = texts.findIndex(text => hasSelection(text));
	const at = among.indexOf(found.row);
	// A list ends at an empty row.
	return cursor < 0 || at < 0 || texts.slice(Math.min(cursor, at), Math.max(cursor, at) + 1).some(isBlank)
		? null
		: at - cursor;
};
