import {useEffect, useRef, useState} from 'react';
import {languageOfFile, type Span} from '../../../text/python/code-language.ts';
import type {LineIndex} from '../../../text/columns/line-index.ts';

/** Number of lines coloured in one step, which takes a few milliseconds. */
const STEP = 32;
/**
 * Maximum number of lines of a string or comment. A longer one is coloured as if it ended there.
 */
const LONGEST_BLOCK = 512;
/** Longest line that is coloured, in UTF-16 units. Longer lines have no colours. */
const LONGEST_LINE = 2000;
/**
 * If the view is more than `FAR` lines below the start of the file, colouring starts `BEFORE` lines
 * above the view.
 */
const BEFORE = 200;
const FAR = 3000;
/** Delay before colouring after the view has changed, in ms, so that keys are handled first. */
const PAUSE = 30;

const NONE: readonly Span[] = [];

const textOf = (index: LineIndex, line: number): string => {
	const start = index.start(line);
	const end = index.end(line);
	return end - start > LONGEST_LINE ? '' : index.text.slice(start, end);
};

/**
 * Colours of the lines near the view. They are computed a few lines at a time after the file is
 * drawn. `version` increases when visible lines were coloured.
 */
export const useColours = (
	index: LineIndex | null,
	path: string,
	top: number,
	height: number,
): {readonly spansOf: (line: number) => readonly Span[]; readonly version: number} => {
	const language = languageOfFile(path);
	const [version, setVersion] = useState(0);
	const known = useRef<{readonly index: LineIndex | null; readonly spans: Map<number, readonly Span[]>}>({
		index: null,
		spans: new Map(),
	});
	if (known.current.index !== index) known.current = {index, spans: new Map()};
	const {spans} = known.current;
	useEffect(() => {
		if (index === null || language === undefined) return;
		let timer: NodeJS.Timeout | undefined;
		let isOver = false;
		const bottom = (): number => Math.min(index.count, top + 2 * height);
		/** The first line near the view that has no colours. */
		const nextLine = (): number | undefined => {
			const from = top > FAR ? top - BEFORE : 0;
			for (let line = from; line < bottom(); line++) if (!spans.has(line)) return line;
			return undefined;
		};
		const run = async (): Promise<void> => {
			const {highlightLines} = await import('../../../text/python/highlight.ts');
			for (let line = nextLine(); line !== undefined && !isOver; line = nextLine()) {
				let lines: string[] = [];
				let coloured: ReturnType<typeof highlightLines>;
				do {
					const to = Math.min(index.count, line + lines.length + STEP);
					lines = [
						...lines,
						...Array.from({length: to - line - lines.length}, (_, offset) =>
							textOf(index, (line ?? 0) + lines.length + offset),
						),
					];
					coloured = highlightLines(lines, language);
				} while (coloured.isOpen && lines.length < LONGEST_BLOCK && line + lines.length < index.count);
				for (const [offset, found] of coloured.spans.entries()) spans.set(line + offset, found);
				if (line + lines.length > top) setVersion(count => count + 1);
				await new Promise(resolve => setTimeout(resolve, 1));
			}
		};
		if (nextLine() !== undefined) timer = setTimeout(() => void run(), PAUSE);
		return () => {
			isOver = true;
			clearTimeout(timer);
		};
	}, [index, language, spans, top, height]);
	return {spansOf: line => spans.get(line) ?? NONE, version};
};
