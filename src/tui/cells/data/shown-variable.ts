const NAME = String.raw`[\p{ID_Start}_][\p{ID_Continue}]*`;
const SHOWN = new RegExp(String.raw`^(?:(?<name>${NAME})|display\((?<shown>${NAME})\))\s*(?:#.*)?$`, 'u');

/**
 * Variable that the last statement of a cell shows: `frame` or `display(frame)`. Null for other
 * code.
 */
export const shownVariable = (source: string): string | null => {
	const last = source.trimEnd().split('\n').at(-1) ?? '';
	if (/^\s/.test(last)) return null;
	const found = SHOWN.exec(last.split(';').at(-1)?.trim() ?? '')?.groups;
	return found?.['name'] ?? found?.['shown'] ?? null;
};
