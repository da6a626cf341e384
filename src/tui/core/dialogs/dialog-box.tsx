import {Box} from 'ink';
import {useLayoutEffect, type ReactNode} from 'react';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {screenTitle} from '../components/pane-title.ts';
import {Row, Rows} from '../components/rows.tsx';
import {placeBox, type BoxRect} from '../frame/box-rect.ts';
import type {Rect} from '../frame/layout.ts';
import {boxStyle, paint} from '../theme/theme.ts';

/** Cells of a box's sides and margins: the width of the box minus that of a line. */
const SIDES = 4;
/** Least number of cells beside a box, left and right together; fewer on narrow screens. */
const AROUND = {usual: 8, narrow: 4, from: 72} as const;
/** Width of a card, in cells. */
export const CARD_WIDTH = 66;
/** Width of a box with a list of records, in cells. */
export const LIST_WIDTH = 96;
const boxWidth = ({width}: Pick<Rect, 'width'>, wanted: number): number =>
	Math.min(wanted, width - (width < AROUND.from ? AROUND.narrow : AROUND.usual));

/** Least width of a box in cells. A narrower box looks like a part of the screen behind it. */
const LEAST_WIDTH = 48;

/**
 * Width of a box with these lines: no more than they need and at most `most`, so that little of the
 * screen is covered; `beside` cells stay free.
 */
export const widthFor = (title: string, lines: readonly string[], most: number, beside = 0): number =>
	Math.min(
		most,
		lines.reduce(
			(width, line) => Math.max(width, cellWidth(line) + beside + SIDES),
			Math.max(LEAST_WIDTH, cellWidth(title) + 6),
		),
	);

/** Width of a line in a box of the wanted width. */
export const lineWidth = (body: Pick<Rect, 'width'>, wanted: number): number =>
	boxWidth(body, wanted) - SIDES;

/**
 * Position of a box with these lines on the screen. `most`: largest number of lines of a box that
 * grows and shrinks, so that its top stays in place.
 */
export const boxPlace = (body: Rect, wanted: number, lines: number, most = lines): BoxRect => {
	const width = boxWidth(body, wanted);
	const room = body.height - 2;
	return {
		width,
		height: Math.min(lines, room),
		left: Math.floor((body.width - width) / 2),
		top: body.y + Math.max(0, Math.floor((room - Math.min(most, room)) / 3)),
	};
};

/** Lines padded to the width of the box, so that the screen below does not show through. */
export const boxLines = (lines: readonly string[], width: number): readonly string[] =>
	lines.map(line => paint('raised', ` ${fit(line, width - SIDES)} `));

/**
 * Fits lines into `rows` rows. Blank lines are omitted first, then lines above the last block,
 * which contains the keys. A mark shows the omission.
 */
export const fittedLines = (lines: readonly string[], rows: number): readonly string[] => {
	if (lines.length <= rows) return lines;
	const blank = lines.flatMap((line, at) => (line === '' ? [at] : []));
	const foot = lines.slice((blank.at(-1) ?? lines.length - 2) + 1);
	const dropped = new Set(blank.slice(0, lines.length - rows));
	const left = lines.filter((_, at) => !dropped.has(at));
	if (left.length <= rows) return left;
	const room = rows - foot.length;
	return room < 1 ? left.slice(-rows) : [...left.slice(0, room - 1), `${left[room - 1] ?? ''} …`, ...foot];
};

/**
 * Framed box in the middle of the body: `lines`, then `rows` rows of children. Each row is `width -
 * 2` cells wide.
 */
export const DialogBox = ({
	title,
	lines,
	body,
	width: wanted,
	rows = 0,
	most,
	position = '',
	children,
}: {
	readonly title: string;
	readonly lines: readonly string[];
	readonly body: Rect;
	readonly width: number;
	readonly rows?: number;
	readonly most?: number;
	/** Position in content that is longer than the box, shown in the lower side. */
	readonly position?: string;
	readonly children?: ReactNode;
}) => {
	const {left, top, width, height} = boxPlace(body, wanted, lines.length + rows, most);
	const head = fit(title, Math.min(cellWidth(title), width - 6));
	const shown = fittedLines(lines, height - Math.min(rows, height));
	useLayoutEffect(() => {
		placeBox({left, top, width, height});
		return () => placeBox(null);
	}, [left, top, width, height]);
	return (
		<>
			<Box position="absolute" top={top} left={left} width={width} height={height + 2}>
				<Rows
					height={height + 2}
					lines={Array.from({length: height + 2}, () => paint('raised', ' '.repeat(width)))}
				/>
			</Box>
			<Box
				position="absolute"
				top={top}
				left={left}
				width={width}
				height={height + 2}
				flexDirection="column"
				overflow="hidden"
				borderStyle={boxStyle()}
			>
				<Rows height={Math.min(shown.length, height)} lines={boxLines(shown, width)} />
				{children}
			</Box>
			<Box position="absolute" top={top} left={left + 1}>
				<Row text={paint('raised', ` ${screenTitle(head, true)} `)} />
			</Box>
			{position !== '' && (
				<Box position="absolute" top={top + height + 1} left={left + width - position.length - 4}>
					<Row text={paint('raised', paint('dim', ` ${position} `))} />
				</Box>
			)}
		</>
	);
};
