import type {ReactNode} from 'react';
import type {DiffLine} from '../../../text/columns/diff-lines.ts';
import {fit} from '../../../text/width/width.ts';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {scrolled} from '../../core/dialogs/scrolled.ts';
import type {Rect} from '../../core/program.ts';
import {diffRows, diffWidth} from './diff-rows.ts';

type Props = {
	readonly title: string;
	readonly rows: readonly DiffLine[];
	/** First visible row of the difference. */
	readonly top: number;
	/** Number of rows in which the difference is shown. */
	readonly room: number;
	readonly head?: readonly string[];
	readonly foot: readonly string[];
	readonly body: Rect;
	/**
	 * Drawn instead of the foot, in this number of rows. `draw` receives the width of a line in
	 * cells.
	 */
	readonly choices?: {readonly rows: number; readonly draw: (width: number) => ReactNode} | null;
};

/** A box with a difference that scrolls, and fixed lines above and below it. */
export const DiffDialog = ({title, rows, top, room, head = [], foot, body, choices = null}: Props) => {
	const view = scrolled(top, rows.length, room);
	const boxed = diffWidth(title, rows, [...head, ...foot]);
	const width = lineWidth(body, boxed);
	return (
		<DialogBox
			title={title}
			body={body}
			width={boxed}
			position={view.position}
			lines={[
				...head,
				...diffRows(rows, view, width),
				fit(view.more, width),
				...(choices === null ? foot : []),
			]}
			rows={choices?.rows ?? 0}
		>
			{choices?.draw(width)}
		</DialogBox>
	);
};
