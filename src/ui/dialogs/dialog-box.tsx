import {Box} from 'ink';
import {cellWidth, fit} from '../../text/width.ts';
import {Rows} from '../components/rows.tsx';
import type {Rect} from '../frame/layout.ts';
import {paint} from '../theme/theme.ts';

/** Where a box of so many lines stands on the screen. */
export const boxPlace = (body: Rect, wanted: number, lines: number): {readonly left: number; readonly top: number; readonly width: number; readonly height: number} => {
	const width = Math.min(wanted, body.width - 4);
	const height = Math.min(lines, body.height - 2);
	return {width, height, left: Math.floor((body.width - width) / 2), top: body.y + Math.max(0, Math.floor((body.height - height - 2) / 3))};
};

/** A framed box in the middle of the body: every row is as wide as the box, so that nothing of the screen below shows through. */
export const DialogBox = ({title, lines, body, width: wanted}: {
	readonly title: string;
	readonly lines: readonly string[];
	readonly body: Rect;
	readonly width: number;
}) => {
	const {left, top, width, height} = boxPlace(body, wanted, lines.length);
	const inner = width - 4;
	const head = `╭─ ${paint('heading', fit(title, Math.min(cellWidth(title), inner - 2)))} ${'─'.repeat(Math.max(0, inner - cellWidth(title) - 1))}╮`;
	const rows = lines.slice(0, height).map(line => `│ ${fit(line, inner)} │`);
	return (
		<Box position="absolute" top={top} left={left} width={width}>
			<Rows height={height + 2} lines={[head, ...rows, `╰${'─'.repeat(width - 2)}╯`]}/>
		</Box>
	);
};
