// A dialog over the whole width of the screen, directly above the notice.
import {Box} from 'ink';
import {useLayoutEffect} from 'react';
import {fit} from '../../../text/width/width.ts';
import {paneRule} from '../components/pane-title.ts';
import {Rows} from '../components/rows.tsx';
import {placeBox, type BoxRect} from '../frame/box-rect.ts';
import type {Rect} from '../frame/layout.ts';

/** Position of a strip with this many lines below its rule. */
export const stripPlace = (body: Rect, lines: number): BoxRect => {
	const height = Math.min(lines, body.height - 1);
	return {left: 0, top: body.y + body.height - height - 1, width: body.width, height};
};

export const DialogStrip = ({
	title,
	lines,
	place: {left, top, width, height},
	position,
}: {
	readonly title: string;
	readonly lines: readonly string[];
	readonly place: BoxRect;
	readonly position: string;
}) => {
	useLayoutEffect(() => {
		placeBox({left, top, width, height});
		return () => placeBox(null);
	}, [left, top, width, height]);
	const shown = Array.from({length: height}, (_, row) => fit(` ${lines[row] ?? ''}`, width));
	return (
		<Box position="absolute" top={top} left={left} width={width} height={height + 1}>
			<Rows height={height + 1} lines={[paneRule(` ${title} `, width, position), ...shown]} />
		</Box>
	);
};
