import {Box} from 'ink';
import type {ReactNode} from 'react';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {Row, Rows} from '../components/rows.tsx';
import type {Rect} from '../frame/layout.ts';
import {boxStyle, paint} from '../theme/theme.ts';

/** Where a box of so many lines stands on the screen. */
export const boxPlace = (
	body: Rect,
	wanted: number,
	lines: number,
): {readonly left: number; readonly top: number; readonly width: number; readonly height: number} => {
	const width = Math.min(wanted, body.width - 4);
	const height = Math.min(lines, body.height - 2);
	return {
		width,
		height,
		left: Math.floor((body.width - width) / 2),
		top: body.y + Math.max(0, Math.floor((body.height - height - 2) / 3)),
	};
};

/** A line as wide as the box, so that nothing of the screen below shows through. */
export const boxLines = (lines: readonly string[], width: number): readonly string[] =>
	lines.map(line => ` ${fit(line, width - 4)} `);

/** A framed box in the middle of the body: `lines`, then `rows` rows of children, each `width - 2` cells wide. */
export const DialogBox = ({
	title,
	lines,
	body,
	width: wanted,
	rows = 0,
	children,
}: {
	readonly title: string;
	readonly lines: readonly string[];
	readonly body: Rect;
	readonly width: number;
	readonly rows?: number;
	readonly children?: ReactNode;
}) => {
	const {left, top, width, height} = boxPlace(body, wanted, lines.length + rows);
	const head = fit(title, Math.min(cellWidth(title), width - 6));
	return (
		<>
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
				<Rows height={Math.min(lines.length, height)} lines={boxLines(lines, width)} />
				{children}
			</Box>
			<Box position="absolute" top={top} left={left + 2}>
				<Row text={` ${paint('heading', head)} `} />
			</Box>
		</>
	);
};
