import {Box} from 'ink';
import {Rows} from '../../core/components/rows.tsx';
import {CursorAt} from '../../core/frame/cursor.tsx';
import type {Rect} from '../../core/program.ts';
import type {DialogSpec} from '../../core/feature.ts';
import {useApp} from '../../core/store-context.ts';
import {tableLines} from '../table-lines.ts';

/** Table over the whole screen area between header and footer. */
export const TableDialog = ({
	isFiltering = false,
	body,
}: {
	readonly isFiltering?: boolean;
	readonly body: Rect;
}) => {
	const view = useApp(state => state.tableView);
	if (view === null) return null;
	const {lines, x} = tableLines(view, body.width, body.height, isFiltering);
	return (
		<>
			<Box position="absolute" top={body.y} left={body.x} width={body.width} height={body.height}>
				<Rows height={body.height} lines={lines} />
			</Box>
			{isFiltering && <CursorAt x={body.x + x} y={body.y} />}
		</>
	);
};

/** Makes a dialog that is drawn over the table. */
export const tableDialog = ({Dialog: Above, ...facts}: DialogSpec): DialogSpec => ({
	...facts,
	coversTitles: true,
	Dialog: props => (
		<>
			<TableDialog body={props.body} />
			<Above {...props} />
		</>
	),
});
