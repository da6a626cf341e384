import {Box} from 'ink';
import type {Wait} from './remote-line.ts';
import type {ListView} from '../store/lists.ts';
import type {Connection} from '../store/session.ts';
import {Divider, Rows} from './rows.tsx';
import {ALL_ROWS} from '../frame/drawn-rows.ts';

/** Props of every view of a list. */
export type ListProps<Row> = {
	/** Rows that pass the filter, in the order of the list. */
	readonly rows: readonly Row[];
	readonly view: ListView;
	/** True if the filter field has focus. */
	readonly filtering: boolean;
	/** Number of hits in other lists for the words of the filter. */
	readonly elsewhere?: number;
	readonly connection: Connection;
	/** The wait for the first response. */
	readonly wait?: Wait;
	readonly cursor: number;
	readonly focused: boolean;
	readonly now: number;
	readonly width: number;
	readonly height: number;
};

/** Width of the line between a list and its details, in cells. */
export const BETWEEN = 3;

/**
 * Width of the details beside a list that needs `needed` cells: the rest, or 0 if that is less than
 * `least`.
 */
export const detailWidth = (width: number, needed: number, least: number): number => {
	const rest = width - needed - BETWEEN;
	return rest >= least ? rest : 0;
};

/**
 * A list, with details of the selected row at its right. `width`: width of the list; `height`:
 * number of its rows, without the header and the lines below.
 */
export const WithDetail = ({
	head,
	list,
	below = [],
	detail,
	width,
	height = list.length,
}: {
	readonly head?: string;
	readonly list: readonly string[];
	readonly below?: readonly string[];
	readonly detail: readonly string[];
	readonly width: number;
	readonly height?: number;
}) => {
	const all = height + (head === undefined ? 0 : 1) + below.length;
	return (
		<Box>
			<Box width={width} flexShrink={0} flexDirection="column">
				{head !== undefined && <Rows height={1} lines={[head]} />}
				<Rows list={ALL_ROWS} height={height} lines={list} />
				{below.length > 0 && <Rows height={below.length} lines={below} />}
			</Box>
			<Box width={BETWEEN} flexShrink={0} paddingLeft={1}>
				<Divider height={all} />
			</Box>
			<Box flexGrow={1}>
				<Rows height={all} lines={detail} />
			</Box>
		</Box>
	);
};
