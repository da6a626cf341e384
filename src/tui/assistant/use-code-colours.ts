import {useEffect, useState} from 'react';
import {languageNamed, type Span} from '../../text/python/code-language.ts';
import {ANSWER_STYLE, type MarkdownEngine} from '../core/components/markdown.ts';
import {currentAppearance, paintCode} from '../core/theme/theme.ts';
import type {PlacedCode} from './transcript-blocks.ts';

/** Delay before code gets colours, in ms. Until then only the answer is drawn. */
const PAUSE = 60;
/** Largest block that gets colours, in lines: more would take longer than a frame. */
const MOST_LINES = 300;
const MOST_TEXT = 16_000;
const MOST_KEPT = 200;

/** Rows of a code block. `plain` and `painted` differ in colours only. */
type Coloured = {
	readonly width: number;
	readonly rows: readonly {readonly plain: string; readonly painted: string}[];
};

/** Coloured blocks by their code, for the appearance in `painted`. */
const known = new Map<string, Coloured>();
let painted = currentAppearance();

const colouredPart = (text: string, from: number, spans: readonly Span[]): string => {
	let out = '';
	let at = 0;
	for (const [first, last, role] of spans) {
		const start = Math.max(at, first - from);
		const end = Math.min(text.length, last - from);
		if (end <= start) continue;
		out += text.slice(at, start) + paintCode(role, text.slice(start, end));
		at = end;
	}
	return out + text.slice(at);
};

const coloured = (
	lines: readonly string[],
	spans: readonly (readonly Span[])[],
	width: number,
	engine: MarkdownEngine,
): Coloured => {
	const cells = engine.codeCells(width);
	const rows = lines.flatMap((line, index) =>
		engine.codeParts(line, cells, ANSWER_STYLE).map(({text, from}) => {
			const plain = text.trimEnd();
			return {plain, painted: colouredPart(plain, from, spans[index] ?? [])};
		}),
	);
	return {width, rows};
};

const isWanted = ({code}: PlacedCode): boolean =>
	code.isWhole &&
	known.get(code.code)?.width !== code.width &&
	code.code.length <= MOST_TEXT &&
	languageNamed(code.language) !== undefined;

/** Colours the visible, complete code blocks a moment later, one at a time. */
export const useCodeColours = (inView: readonly PlacedCode[], engine: MarkdownEngine | undefined): void => {
	const [, draw] = useState(0);
	if (painted !== currentAppearance()) known.clear();
	painted = currentAppearance();
	const wanted = inView.filter(isWanted);
	const names = wanted.map(({turn, block, code}) => `${turn} ${block} ${code.width}`).join();
	useEffect(() => {
		if (engine === undefined || names === '') return;
		let isOver = false;
		const run = async (): Promise<void> => {
			const {highlightLines} = await import('../../text/python/highlight.ts');
			for (const {code} of wanted) {
				if (isOver) return;
				const lines = code.code
					.replaceAll(/\r\n?/g, '\n')
					.replace(/\n$/, '')
					.split('\n')
					.map(engine.codeText);
				const language = languageNamed(code.language);
				const isShort = language !== undefined && lines.length <= MOST_LINES;
				known.set(
					code.code,
					isShort
						? coloured(lines, highlightLines(lines, language).spans, code.width, engine)
						: {width: code.width, rows: []},
				);
				const oldest = known.keys().next().value;
				if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest);
				draw(count => count + 1);
				await new Promise(resolve => setTimeout(resolve, 1));
			}
		};
		const timer = setTimeout(() => void run(), PAUSE);
		return () => {
			isOver = true;
			clearTimeout(timer);
		};
		// Depends on `names`, which identifies `wanted`: that array is new in each render.
	}, [names, engine]);
};

/** The visible lines from row `from` on, with the colours of code computed so far. */
export const withColours = (
	lines: readonly string[],
	from: number,
	inView: readonly PlacedCode[],
): readonly string[] => {
	const out = [...lines];
	for (const {row, code} of inView) {
		const colours = known.get(code.code);
		if (colours?.width !== code.width || !code.isWhole) continue;
		for (const [index, {plain, painted}] of colours.rows.entries()) {
			const at = row + 1 + index - from;
			const line = out[at];
			if (line === undefined || plain === painted) continue;
			const start = line.lastIndexOf(plain);
			if (start >= 0) out[at] = line.slice(0, start) + painted + line.slice(start + plain.length);
		}
	}
	return out;
};
