/** Mouse report (SGR, mode 1006). Cells are counted from 0 at the top left. */
export type MouseEvent = {
	readonly did: 'click' | 'wheelUp' | 'wheelDown';
	readonly x: number;
	readonly y: number;
};

const REPORT = /^\u001B\[<(\d{1,3});(\d{1,5});(\d{1,5})([Mm])$/;
/** Bits of the Shift, Meta and Control keys. */
const MODIFIERS = 4 | 8 | 16;
const DID: Readonly<Record<number, MouseEvent['did']>> = {0: 'click', 64: 'wheelUp', 65: 'wheelDown'};

/** Press of the left button, or one notch of the wheel. Null for other reports. */
export const mouseIn = (report: string): MouseEvent | null => {
	const [, button = '', column = '', row = '', end] = REPORT.exec(report) ?? [];
	const did = end === 'M' ? DID[Number(button) & ~MODIFIERS] : undefined;
	return did === undefined || Number(column) < 1 || Number(row) < 1
		? null
		: {did, x: Number(column) - 1, y: Number(row) - 1};
};
