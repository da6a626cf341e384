/** `src/a.py:120`, `/src/a.py`: a path and its line. */
export const parsePath = (typed: string): {readonly path: string; readonly line?: number} => {
	const [, path = '', line] = /^\/*([^]*?)(?::(\d{1,9}))?$/.exec(typed.trim()) ?? [];
	return {path: path.replace(/\/+$/, ''), ...(line !== undefined && {line: Number(line)})};
};
