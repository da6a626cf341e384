/** Mouse event, from a report in SGR mode (1006). Cells count from 0 at the top left. */
export type MouseEvent = {
	readonly did: 'click' | 'drag' | 'release' | 'wheelUp' | 'wheelDown';
	readonly x: number;
	readonly y: number;
};

const REPORT = /^\u001B\[<(\d{1,3});(\d{1,5});(\d{1,5})([Mm])$/;
/** Bits of the Shift, Meta and Control keys. */
const MODIFIERS = 4 | 8 | 16;
const PRESSED: Readonly<Record<number, MouseEvent['did']>> = {
	0: 'click',
	32: 'drag',
	64: 'wheelUp',
	65: 'wheelDown',
};

/** Press, drag or release of the left button, or a notch of the wheel. Null for other reports. */
export const mouseIn = (report: string): MouseEvent | null => {
	const [, button = '', column = '', row = '', end] = REPORT.exec(report) ?? [];
	const which = Number(button) & ~MODIFIERS;
	const did = end === 'M' ? PRESSED[which] : end === 'm' && which === 0 ? 'release' : undefined;
	return did === undefined || Number(column) < 1 || Number(row) < 1
		? null
		: {did, x: Number(column) - 1, y: Number(row) - 1};
};
