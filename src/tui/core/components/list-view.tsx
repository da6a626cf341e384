import {Box} from 'ink';
import type {Wait} from './remote-line.ts';
import type {ListView} from '../store/lists.ts';
import type {Connection} from '../store/session.ts';
import {titleRule} from './pane-title.ts';
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
 * List with its title on the left, and details of the selected row on the right. The divider starts
 * at the rule under the header. `width`: of the list; `room`: of the details.
 */
export const WithDetail = ({
	above,
	list,
	title,
	detail,
	width,
	room,
	height,
}: {
	/** Rows before the list; the first one is its title. */
	readonly above: readonly string[];
	readonly list: readonly string[];
	/** Title of the details. */
	readonly title: string;
	readonly detail: readonly string[];
	readonly width: number;
	readonly room: number;
	/** Height of the whole view, in rows. */
	readonly height: number;
}) => (
	<Box>
		<Box width={width} flexShrink={0} flexDirection="column">
			<Rows height={above.length} lines={above} />
			<Rows list={ALL_ROWS} height={height - above.length} lines={list} />
		</Box>
		<Box width={1} flexShrink={0}>
			<Divider height={height} isTop />
		</Box>
		<Box flexDirection="column">
			<Rows height={1} lines={[titleRule({left: ` ${title} `, focused: false, width: room + 2})]} />
			<Box paddingLeft={1}>
				<Rows height={height - 1} lines={detail} />
			</Box>
		</Box>
	</Box>
);
