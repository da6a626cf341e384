/** A report of the mouse (SGR, mode 1006): what was done over a cell, counted from 0 at the top left. */
export type MouseEvent = {
	readonly did: 'click' | 'wheelUp' | 'wheelDown';
	readonly x: number;
	readonly y: number;
};

const REPORT = /^\u001B\[<(\d{1,3});(\d{1,5});(\d{1,5})([Mm])$/;
/** Shift, Meta and Control held meanwhile. */
const MODIFIERS = 4 | 8 | 16;
const DID: Readonly<Record<number, MouseEvent['did']>> = {0: 'click', 64: 'wheelUp', 65: 'wheelDown'};

/** The left button pressed, or the wheel turned by a notch; null for all else. */
export const mouseIn = (report: string): MouseEvent | null => {
	const [, button = '', column = '', row = '', end] = REPORT.exec(report) ?? [];
	const did = end === 'M' ? DID[Number(button) & ~MODIFIERS] : undefined;
	return did === undefined || Number(column) < 1 || Number(row) < 1
		? null
		: {did, x: Number(column) - 1, y: Number(row) - 1};
};
