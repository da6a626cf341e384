import {Box} from 'ink';
import type {EnvironmentContents} from '../../contract/environment-setup.ts';
import type {Environment} from '../../contract/environments.ts';
import type {Listing, Remote} from '../core/store/remote.ts';
import {block, label} from '../../text/safe.ts';
import {cellWidth, fit} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {countOf, filterMark} from '../core/components/filter-mark.ts';
import {
	failureBelowRows,
	freshness,
	emptyOf,
	emptyStateRows,
	isFailing,
} from '../core/components/remote-line.ts';
import {ANSWER_STYLE, markdownEngine} from '../core/components/markdown.ts';
import {invitationRows, noHits, type Invitation} from '../core/components/invitation.ts';
import {Rows} from '../core/components/rows.tsx';
import {screenTitle, titleRule} from '../core/components/pane-title.ts';
import {ageMark, withScrollMark} from '../core/components/position.ts';
import {BODY_TOP} from '../core/frame/workspace-layout.ts';
import {windowAround} from '../core/components/scroll.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {keyFor} from '../core/keys/live-keys.ts';
import {lastResult} from '../core/store/last-result.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {contentLines} from './contents.ts';
import {paint} from '../core/theme/theme.ts';
import {BETWEEN, WithDetail, type ListProps} from '../core/components/list-view.tsx';

type Props = ListProps<Environment> & {
	readonly environments: Remote<Listing<Environment>>;
	readonly usedBy: ReadonlyMap<string, readonly string[]>;
	/** Rows of the selected environment's description, and its first visible row. */
	readonly description: readonly string[];
	readonly top: number;
};

/** Longest shown description, in UTF-16 units. */
export const LONGEST = 20_000;
const NAMES_SHOWN = 20;
/** Width of the list if all names are short, in cells. */
const LEAST = 24;

/** Cells beside a name: cursor mark, number of servers, free space. */
const AROUND = 9;
/** Line width at which a description reads well. The list gets the rest. */
const READABLE = 60;

const wantedFor = lastResult((rows: readonly Environment[]) =>
	rows.reduce((longest, {name}) => Math.max(longest, cellWidth(label(name)) + AROUND), LEAST),
);

/** Widths of the list, which gets what its names need, and of the description beside it. */
export const environmentWidths = (
	width: number,
	rows: readonly Environment[],
): {readonly list: number; readonly description: number} => {
	const most = Math.max(Math.floor(width * 0.4), width - READABLE - BETWEEN);
	const list = Math.min(wantedFor(rows), most);
	return {list, description: width - list - BETWEEN};
};

/** A description as rows. It is Markdown, or plain text that looks the same as Markdown. */
const written = (text: string, width: number): readonly string[] =>
	markdownEngine()?.renderMarkdown(text, width, ANSWER_STYLE).rows ?? wrap(block(text), width);

/** Details of an environment. A long description is cut, because wrapping takes time. */
export const descriptionLines = (
	environment: Environment | undefined,
	usedBy: readonly string[],
	contents: EnvironmentContents | undefined,
	width: number,
	length = LONGEST,
): readonly string[] => {
	if (environment === undefined) return [];
	const more = usedBy.length - NAMES_SHOWN;
	const used =
		usedBy.length === 0
			? 'Not used by any of your servers'
			: `Used by ${usedBy
					.slice(0, NAMES_SHOWN)
					.map(name => label(name, 40))
					.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
	const {description} = environment;
	return [
		...wrap(label(environment.name), width).map(line => paint('heading', line)),
		paint('dim', fit(label(environment.environment_id), width)),
		'',
		...wrap(used, width).map(line => paint('dim', line)),
		'',
		...(contents === undefined ? [] : [...contentLines(contents, width), '']),
		...written(description.length > length ? `${description.slice(0, length)}…` : description, width),
	];
};

/** Visible rows of a description; the last row counts the rows below. */
const inView = (lines: readonly string[], top: number, height: number): readonly string[] => {
	const below = lines.length - top - height;
	if (below <= 0) return lines.slice(top, top + height);
	return [
		...lines.slice(top, top + height - 1),
		`${paint('busy', `${glyph.down} ${top === 0 ? 'more' : `${below + 1} more lines`}`)} ${paint('dim', `${keyFor('environments.scrollDown')} and ${keyFor('environments.scrollUp')} scroll`)}`,
	];
};

export const EnvironmentsView = ({
	environments,
	rows,
	view,
	filtering,
	elsewhere = 0,
	connection,
	wait = {what: 'environments'},
	usedBy,
	description,
	top: first,
	cursor,
	focused,
	now,
	width,
	height,
}: Props) => {
	const items = environments.value?.items ?? [];
	const unreadable = environments.value?.unreadable ?? 0;
	const count = ` ${screenTitle('Environments', focused)}${environments.value ? ` ${countOf(rows.length, items.length)}` : ''}`;
	const mark = filterMark(view, filtering);
	const left = `${count}${mark.text}${unreadable > 0 ? ` ${paint('dim', '·')} ${paint('bad', `${unreadable} unreadable`)}` : ''} `;
	const right = ageMark(cursor, rows.length, freshness(environments, now));
	const top = titleRule({left, right, focused, width});
	const field = filtering && <CursorAt x={1 + cellWidth(count) + mark.x} y={BODY_TOP} />;
	if (rows.length === 0) {
		const invitation: Invitation | null =
			environments.value === undefined ||
			isFailing(environments) ||
			connection.status === 'failed' ||
			(items.length === 0 && unreadable > 0)
				? null
				: items.length > 0
					? noHits(
							'environments',
							{clear: keyFor('environments.showAll'), edit: keyFor('environments.filter')},
							{filtering, elsewhere},
						)
					: {
							title: 'The service lists no environments',
							steps: [
								{key: keyFor('global.refresh'), action: 'ask again'},
								{key: keyFor('global.servers'), action: 'servers'},
							],
						};
		const said =
			invitation === null
				? [
						'',
						...emptyStateRows(environments, connection, {
							...wait,
							...{width, now},
							empty: emptyOf(environments, 'environments', ''),
						}),
					]
				: invitationRows(invitation, width, height - 1);
		return (
			<>
				{field}
				<Rows height={height} lines={[top, ...said]} />
			</>
		);
	}
	const failed = failureBelowRows(environments, connection, {...{width, now}, most: Math.floor(height / 3)});
	const room = height - 2 - failed.length;
	const {list: listWidth} = environmentWidths(width, items);
	const from = windowAround(cursor, room, rows.length);
	const lines = rows.slice(from, from + room).map((item, offset) => {
		const here = from + offset === cursor;
		const users = usedBy.get(item.environment_id)?.length ?? 0;
		const text = `${fit(`${here ? ` ${glyph.cursor} ` : '   '}${label(item.name)}`, listWidth - 6)}${fit(users > 0 ? String(users) : '', 4, 'right')}  `;
		if (here && focused) return paint('selected', text);
		return isFailing(environments) ? paint('dim', text) : text;
	});
	return (
		<Box flexDirection="column">
			{field}
			<Rows height={1} lines={[top]} />
			<WithDetail
				head={paint('dim', `   ${fit('Name', listWidth - 12)}Servers`)}
				list={withScrollMark(lines, {from, height: room, count: rows.length, width: listWidth})}
				detail={inView(description, first, room + 1)}
				width={listWidth}
				height={room}
			/>
			{failed.length > 0 && <Rows height={failed.length} lines={failed} />}
		</Box>
	);
};
