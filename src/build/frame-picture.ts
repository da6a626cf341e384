// Draws a frame of test/frames for README as SVG, in which the text can still be selected and
// searched.
import {cellWidth} from '../text/width/width.ts';
import {eachGrapheme} from '../text/width/graphemes.ts';

/** Texts of a picture, for screen readers and tooltips. */
export type PictureWords = {readonly title: string; readonly description: string};

type Role = 'plain' | 'rule' | 'good' | 'bad';
type Run = {text: string; readonly column: number; cells: number; readonly role: Role};

// In pixels. With these proportions, box-drawing characters meet.
const CELL = 8.4;
const ROW = 16.5;
const FONT = 14;
const BASELINE = 12.5;
const MARGIN = 12;

const STYLE = `
.ground{fill:#ffffff;stroke:#d0d7de}.chosen{fill:#dbe9ff}
text{font-size:${FONT}px;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}
.rule{fill:#8c959f}.good{fill:#1a661a}.bad{fill:#b00020}
@media (prefers-color-scheme:dark){
.ground{fill:#0d1117;stroke:#30363d}.chosen{fill:#1f3654}
text{fill:#e6edf3}.rule{fill:#6e7681}.good{fill:#87d75f}.bad{fill:#ff8080}
}
`;

/**
 * Colour role of a mark. Frame files contain no colours, but these marks have the same colour on
 * every screen.
 */
const roleOf = (grapheme: string): Role =>
	/^[\u2500-\u257f]$/.test(grapheme)
		? 'rule'
		: grapheme === '●' || grapheme === '✓'
			? 'good'
			: grapheme === '✗'
				? 'bad'
				: 'plain';

/** Words and marks with their columns. Each is placed separately, because fonts differ in width. */
const runsOf = (line: string): readonly Run[] => {
	const runs: Run[] = [];
	let column = 0;
	let isApart = true;
	eachGrapheme(line, (start, end) => {
		const text = line.slice(start, end);
		const cells = cellWidth(text);
		const role = roleOf(text);
		const last = runs.at(-1);
		// A wide character may come from another font. It is placed alone, so that its width does
		// not move other text.
		if (text === ' ') isApart = true;
		else if (!isApart && last?.role === role && cells === 1) {
			last.text += text;
			last.cells += cells;
		} else {
			runs.push({text, column, cells, role});
			isApart = cells !== 1;
		}
		column += cells;
	});
	return runs;
};

const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const round = (pixels: number): string => String(Math.round(pixels * 10) / 10);

/** A frame, and the time for which a picture of several frames shows it. */
export type Step = {readonly frame: string; readonly seconds: number};

/**
 * CSS rules that show each step for its time, in a loop. Programs without animations show the last
 * step, as do readers who prefer reduced motion.
 */
const stepStyle = (steps: readonly Step[]): string => {
	const total = steps.reduce((sum, {seconds}) => sum + seconds, 0);
	const percent = (seconds: number): string => `${round((100 * seconds) / total)}%`;
	let begun = 0;
	const rules = steps.map(({seconds}, step) => {
		const from = begun;
		begun += seconds;
		return [
			`@keyframes step${step}{0%{opacity:${from === 0 ? 1 : 0}}`,
			from === 0 ? '' : `${percent(from)}{opacity:1}`,
			begun === total ? '' : `${percent(begun)}{opacity:0}`,
			`}.step${step}{animation:step${step} ${total}s step-end infinite}`,
		].join('');
	});
	return [
		`.step{opacity:0}.last{opacity:1}`,
		...rules,
		'@media (prefers-reduced-motion:reduce){.step{animation:none}}',
		'',
	].join('\n');
};

const rowsOf = (lines: readonly string[], columns: number): readonly string[] =>
	lines.flatMap((line, row) => {
		const top = MARGIN + row * ROW;
		return [
			// Row under the cursor, which a terminal shows in reverse.
			...(/^.?▸/.test(line)
				? [
						`<rect class="chosen" x="${MARGIN}" y="${round(top)}" width="${round(columns * CELL)}" height="${ROW}"/>`,
					]
				: []),
			...runsOf(line).map(
				({text, column, cells, role}) =>
					`<text${role === 'plain' ? '' : ` class="${role}"`} x="${round(MARGIN + column * CELL)}" y="${round(top + BASELINE)}" textLength="${round(cells * CELL)}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`,
			),
		];
	});

/**
 * `steps`: frames to show in sequence, or a single frame. `columns`: width of each frame in cells.
 */
export const framePicture = (
	steps: readonly Step[],
	columns: number,
	{title, description}: PictureWords,
): string => {
	const frames = steps.map(({frame}) => frame.replace(/\n$/, '').split('\n'));
	const width = round(columns * CELL + 2 * MARGIN);
	const height = round(Math.max(...frames.map(lines => lines.length)) * ROW + 2 * MARGIN);
	const isMoving = steps.length > 1;
	const rows = frames.flatMap((lines, step) => [
		...(isMoving ? [`<g class="step step${step}${step === steps.length - 1 ? ' last' : ''}">`] : []),
		...rowsOf(lines, columns),
		...(isMoving ? ['</g>'] : []),
	]);
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`,
		`<title id="title">${escaped(title)}</title>`,
		`<desc id="description">${escaped(description)}</desc>`,
		`<style>${STYLE}${isMoving ? stepStyle(steps) : ''}</style>`,
		`<rect class="ground" x="0.5" y="0.5" width="${round(Number(width) - 1)}" height="${round(Number(height) - 1)}" rx="8"/>`,
		...rows,
		'</svg>',
		'',
	].join('\n');
};
