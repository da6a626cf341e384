import {Box} from 'ink';
import {cellWidth, fit} from '../../text/width.ts';
import {Rows} from '../components/rows.tsx';
import type {Rect} from '../frame/layout.ts';
import {paint} from '../theme/theme.ts';

/** A framed box in the middle of the body: every row is as wide as the box, so that nothing of the screen below shows through. */
export const DialogBox = ({title, lines, body, width: wanted}: {
	readonly title: string;
	readonly lines: readonly string[];
	readonly body: Rect;
	readonly width: number;
}) => {
	const width = Math.min(wanted, body.width - 4);
	const inner = width - 4;
	const height = Math.min(lines.length, body.height - 2);
	const top = `╭─ ${paint('heading', fit(title, Math.min(cellWidth(title), inner - 2)))} ${'─'.repeat(Math.max(0, inner - cellWidth(title) - 1))}╮`;
	const rows = lines.slice(0, height).map(line => `│ ${fit(line, inner)} │`);
	return (
		<Box position="absolute" top={body.y + Math.max(0, Math.floor((body.height - height - 2) / 3))} left={Math.floor((body.width - width) / 2)} width={width}>
			<Rows height={height + 2} lines={[top, ...rows, `╰${'─'.repeat(width - 2)}╯`]}/>
		</Box>
	);
};
