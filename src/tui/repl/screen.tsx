import {useEffect} from 'react';
import {mayBeInText} from '../pictures/in-text.ts';
import {useMarkdown} from '../core/components/markdown.ts';
import {windowOf} from '../core/components/transcript.ts';
import {lineField} from '../core/components/line-field.ts';
import {transcriptHeight} from '../core/components/transcript-pane.tsx';
import {CursorAt} from '../core/frame/cursor.tsx';
import {useApp, useGetState} from '../core/store-context.ts';
import {useNow} from '../core/use-now.ts';
import {helpRows} from '../cells/help/help.ts';
import {PICTURE_ROWS} from '../cells/rows/picture-lines.ts';
import {outputPlacings, usePlacings} from '../cells/use-placings.ts';
import {outputWidth} from '../cells/rows/gutter.ts';
import {footLines, placeOf} from './layout.ts';
import {needMarkdown} from '../cells/rows/cell-lines.ts';
import {replLink, replOf} from './transcript.ts';
import {runningCell} from '../cells/cell.ts';
import {findServer} from '../servers/servers.ts';
import {addressOf, serverLinks} from '../live/links.ts';
import {useLoad} from '../live/use-load.ts';
import {ReplView} from './view.tsx';
import type {ScreenProps} from '../core/feature.ts';
import {topOf, foundRow, selectedIn} from './cell-position.ts';

/** Width of the search field, in cells. */
const FIELD = 30;

export const ReplScreen = ({server, rect, hasKeys}: ScreenProps) => {
	const get = useGetState();
	const repl = useApp(state => replOf(state, server));
	const link = useApp(state => replLink(state, server));
	const isAway = useApp(state => findServer(state, server)?.status === 'unreachable');
	// Requests the link again whenever the server's address may have changed.
	const address = useApp(state => addressOf(state, server));
	useEffect(() => {
		if (address !== null) serverLinks(get).seekLink(server);
	}, [get, server, address]);
	const part = useApp(state => state.paneFocus.repl);
	// `placeOf` reads these two values: a change of either lays pictures out again.
	useApp(state => state.pictureStyle);
	useApp(state => state.placed);
	const look = useApp(state => state.pictureLook);
	const covered = useApp(state => state.dialogs.length > 0);
	const running = runningCell(repl);
	const load = useLoad(server, running !== undefined);
	const now = useNow(running ? 1000 : 60_000);
	const typing = hasKeys && part === 'repl';
	const editor = footLines(repl, rect, typing);
	const room = transcriptHeight(rect.height, editor.lines.length);
	const place = placeOf(get, server, rect, room);
	useMarkdown(needMarkdown(repl.cells));
	const blocks = place.blocksOf(repl);
	const top = topOf(repl, blocks);
	usePlacings('repl', () => {
		if (!mayBeInText(look)) return [];
		return [...new Set(windowOf(blocks, top, room).owners)].flatMap(index => {
			const cell = repl.cells[index];
			if (cell === undefined || cell.pictures.size === 0) return [];
			const height = repl.unfolded.has(cell.id) ? PICTURE_ROWS : place.pictureRows;
			const most = {width: outputWidth(rect.width) - 2, height};
			return outputPlacings(cell.result?.outputs ?? [], (_, at) => cell.pictures.get(at), most);
		});
	});
	const completions = useApp(state => state.completions);
	const documentation = useApp(state => state.documentation);
	const over = typing
		? helpRows({completions, documentation}, {server}, repl.draft, editor.cursor.x, rect.width, room)
		: [];
	const finding = hasKeys && part === 'cellFind';
	const field = lineField(repl.find.field, FIELD);
	const elapsed =
		running?.startedAt === undefined || running.startedAt === null
			? null
			: Math.max(0, now - running.startedAt);
	const reading = hasKeys && part !== 'repl';
	return (
		<>
			{typing && !covered && (
				<CursorAt x={rect.x + editor.cursor.x} y={rect.y + 2 + room + editor.cursor.y} />
			)}
			{finding && !covered && <CursorAt x={rect.x + 5 + field.x} y={rect.y + 1 + room} />}
			<ReplView
				{...{server, link, isAway, load, editor, over, elapsed, blocks, reading}}
				repl={repl}
				top={top}
				found={reading ? foundRow(repl, place) : null}
				marked={reading ? selectedIn(repl) : undefined}
				field={finding ? field.text : null}
				focused={hasKeys}
				width={rect.width}
				height={rect.height}
				edge={rect.edge}
			/>
		</>
	);
};
