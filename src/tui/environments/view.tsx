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
import {AROUND_TITLE, screenTitle, titleRule} from '../core/components/pane-title.ts';
import {fittingAgeMark, withScrollMark} from '../core/components/position.ts';
import {BODY_TOP} from '../core/frame/workspace-layout.ts';
import {windowAround} from '../core/components/scroll.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {keyRows} from '../core/components/key-hint.ts';
import {isKeyAvailable, keyFor} from '../core/keys/live-keys.ts';
import type {EnvironmentUser} from './ports.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {contentLines, fact, valueWidth} from './contents.ts';
import {paint} from '../core/theme/theme.ts';
import {BETWEEN, WithDetail, type ListProps} from '../core/components/list-view.tsx';

type Props = ListProps<Environment> & {
	readonly environments: Remote<Listing<Environment>>;
	readonly usedBy: ReadonlyMap<string, readonly EnvironmentUser[]>;
	/** Rows of the selected environment's description, and its first visible row. */
	readonly description: readonly string[];
	readonly top: number;
};

/** Longest shown description, in UTF-16 units. */
export const LONGEST = 20_000;
const NAMES_SHOWN = 20;
/** Widest list in cells: a name of 32 cells, its mark and the number of servers. */
const MOST = 41;
/** Share of a narrow screen for the list. */
const SHARE = 0.4;

/** Widths of the list and of the details beside it. They do not depend on the rows. */
export const environmentWidths = (width: number): {readonly list: number; readonly description: number} => {
	const list = Math.min(MOST, Math.floor(width * SHARE));
	return {list, description: width - list - BETWEEN};
};

/** Description as rows. Descriptions are Markdown, or plain text that Markdown leaves unchanged. */
const written = (text: string, width: number): readonly string[] =>
	markdownEngine()?.renderMarkdown(text, width, ANSWER_STYLE).rows ?? wrap(block(text), width);

/** Details of an environment. A long description is cut, because wrapping takes time. */
export const descriptionLines = (
	environment: Environment | undefined,
	usedBy: readonly EnvironmentUser[],
	contents: EnvironmentContents | undefined,
	width: number,
	length = LONGEST,
): readonly string[] => {
	if (environment === undefined) return [];
	const more = usedBy.length - NAMES_SHOWN;
	const users = usedBy
		.slice(0, NAMES_SHOWN)
		.map(({name, mark, role}) => `${role === null ? mark : paint(role, mark)} ${label(name, 32)}`);
	const all = [...users, ...(more > 0 ? [`and ${more} more`] : [])];
	const room = valueWidth(width);
	const used = all.reduce<readonly string[]>((lines, each) => {
		const next = `${lines.at(-1)}   ${each}`;
		return lines.length === 0 || cellWidth(next) > room ? [...lines, each] : [...lines.slice(0, -1), next];
	}, []);
	const {description} = environment;
	const keys = keyRows(
		width,
		...(isKeyAvailable('environments.create') ? ([['environments.create', 'Rent with it']] as const) : []),
		['environments.copy', 'Copy id'],
	);
	return [
		'',
		...fact('Id', wrap(label(environment.environment_id), room)),
		...fact('Used by', used.length === 0 ? [paint('dim', 'no server of yours')] : used),
		'',
		...(contents === undefined ? [] : [...contentLines(contents, width), '']),
		...written(description.length > length ? `${description.slice(0, length)}…` : description, width),
		'',
		...keys,
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
	const {list: listWidth, description: detailRoom} = environmentWidths(width);
	const field = filtering && <CursorAt x={1 + cellWidth(count) + mark.x} y={BODY_TOP} />;
	const age = freshness(environments, now);
	if (rows.length === 0) {
		const top = titleRule({left, right: age, focused, width});
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
	const room = height - 3 - failed.length;
	const right = fittingAgeMark(
		cursor,
		rows.length > room ? rows.length : 0,
		age,
		listWidth - cellWidth(left) - AROUND_TITLE,
	);
	const from = windowAround(cursor, room, rows.length);
	const lines = rows.slice(from, from + room).map((item, offset) => {
		const here = from + offset === cursor;
		const users = usedBy.get(item.environment_id)?.length ?? 0;
		const name = fit(label(item.name), listWidth - 14);
		const isSelected = here && focused;
		const text = `${here ? ` ${glyph.cursor} ` : '   '}${isSelected ? paint('heading', name) : name}${fit(users > 0 ? String(users) : '', 9, 'right')}`;
		if (isSelected) return paint('selected', fit(text, listWidth));
		return isFailing(environments) ? paint('dim', text) : text;
	});
	return (
		<Box flexDirection="column">
			{field}
			<WithDetail
				above={[
					titleRule({left, right, focused, width: listWidth}),
					'',
					paint('dim', `   ${fit('Name', listWidth - 14)}  Servers`),
				]}
				list={withScrollMark(lines, {from, height: room, count: rows.length, width: listWidth})}
				title={label(rows[cursor]?.name ?? '', detailRoom)}
				detail={inView(description, first, height - failed.length - 1)}
				width={listWidth}
				room={detailRoom}
				height={height - failed.length}
			/>
			{failed.length > 0 && <Rows height={failed.length} lines={failed} />}
		</Box>
	);
};
