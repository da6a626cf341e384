import {Box} from 'ink';
import type {Environment} from '../../../contract/environments.ts';
import type {ListView} from '../../../store/lists.ts';
import type {Listing, Remote} from '../../../store/remote.ts';
import type {Connection} from '../../../store/session.ts';
import {block, label} from '../../../text/safe.ts';
import {cellWidth, fit} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import {countOf, filterMark} from '../../components/filter-mark.ts';
import {failureLines, freshness, insteadOfRows} from '../../components/remote-line.ts';
import {Divider, Rows} from '../../components/rows.tsx';
import {windowAround} from '../../components/scroll.ts';
import {CursorAt} from '../../frame/cursor.tsx';
import {glyph} from '../../theme/glyphs.ts';
import {paint} from '../../theme/theme.ts';

type Props = {
	readonly environments: Remote<Listing<Environment>>;
	/** Those that pass the filter. */
	readonly rows: readonly Environment[];
	readonly view: ListView;
	/** The filter field has the keys. */
	readonly filtering: boolean;
	readonly connection: Connection;
	/** Names of the servers that use the environment under the cursor. */
	readonly usedBy: readonly string[];
	readonly cursor: number;
	readonly focused: boolean;
	readonly now: number;
	readonly width: number;
	readonly height: number;
};

const descriptionLines = (environment: Environment | undefined, usedBy: readonly string[], width: number): readonly string[] => {
	if (environment === undefined) return [];
	const used = usedBy.length === 0 ? 'no server of yours' : usedBy.map(name => label(name, 40)).join(', ');
	return [
		'',
		paint('heading', fit(label(environment.name), width)),
		paint('dim', fit(label(environment.environment_id), width)),
		'',
		...wrap(block(environment.description), width),
		'',
		...wrap(`Used by ${used}`, width).map(line => paint('dim', line)),
	];
};

/** Environments on the left, the description of the one under the cursor on the right. */
export const EnvironmentsView = ({environments, rows, view, filtering, connection, usedBy, cursor, focused, now, width, height}: Props) => {
	const items = environments.value?.items ?? [];
	const unreadable = environments.value?.unreadable ?? 0;
	const count = ` ${paint('heading', 'Environments')} ${environments.value ? countOf(rows.length, items.length) : ''}`;
	const mark = filterMark(view, filtering);
	const title = `${count}${mark.text}${unreadable > 0 ? `   ${paint('bad', `${unreadable} unreadable`)}` : ''}`;
	const age = `${freshness(environments, now)} `;
	const top = title + ' '.repeat(Math.max(1, width - cellWidth(title) - cellWidth(age))) + age;
	const field = filtering && <CursorAt x={cellWidth(count) + mark.x} y={2}/>;
	if (rows.length === 0) {
		const empty = items.length > 0 ? 'No environment has this text. U shows all again.' : 'The service has no environments.';
		return <>{field}<Rows height={height} lines={[top, '', ...insteadOfRows(environments, connection, empty, width)]}/></>;
	}
	const failed = failureLines(environments, width);
	const room = height - 2 - failed.length;
	const left = Math.min(44, Math.floor(width * 0.4));
	const from = windowAround(cursor, room, rows.length);
	const lines = rows.slice(from, from + room).map((item, offset) => {
		const here = from + offset === cursor;
		const text = fit(`${here ? ` ${glyph.cursor} ` : '   '}${label(item.name)}`, left);
		return here && focused ? paint('selected', text) : text;
	});
	return (
		<Box flexDirection="column">
			{field}
			<Rows height={2} lines={[top, '']}/>
			<Box>
				<Box width={left} flexShrink={0}><Rows height={room} lines={lines}/></Box>
				<Box width={3} flexShrink={0} paddingLeft={1}><Divider height={room}/></Box>
				<Box flexGrow={1}><Rows height={room} lines={descriptionLines(rows[cursor], usedBy, width - left - 5)}/></Box>
			</Box>
			{failed.length > 0 && <Rows height={failed.length} lines={failed}/>}
		</Box>
	);
};
