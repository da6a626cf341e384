import {Box, useApp as useInk, useWindowSize} from 'ink';
import {useCallback, useEffect, type ReactNode} from 'react';
import {noticedFailure} from '../store/failed-call.ts';
import type {Dialog, Pane} from '../program.ts';
import {dialogSpec, isClosed, isPane, screenSpec, workspaceInfo} from '../features.ts';
import {isKeyRefused} from '../store/session.ts';
import type {State} from '../program.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut, fit} from '../../../text/width/width.ts';
import {callDetailsHint} from '../components/key-hint.ts';
import {noticeMark} from '../components/notice-mark.ts';
import {Backdrop, Divider, AppearanceContext, Row} from '../components/rows.tsx';
import {drawnIn} from './drawn-rows.ts';
import {footerLine, showKey} from './footer.ts';
import {headerLine} from './header.ts';
import {LeaderStrip} from './leader-strip.tsx';
import {dockLine} from './dock-line.ts';
import {bodyOf, dialogAreaOf, layoutNow, SMALLEST, type Rect} from './layout.ts';
import {BODY_TOP, FRAME_ROWS, type WorkspaceLayout} from './workspace-layout.ts';
import {keyOf} from '../keys/live-keys.ts';
import {useApp, useFields, useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {seenWork} from '../store/unseen-results.ts';

/** A part of the body at its place on the screen. */
const Placed = ({rect, children}: {readonly rect: Rect; readonly children: ReactNode}) => (
	<Box
		position="absolute"
		left={rect.x}
		top={rect.y - BODY_TOP}
		width={rect.width}
		height={rect.height}
		overflow="hidden"
	>
		{children}
	</Box>
);

/** Records in the store that a pane is on screen while it is mounted. Draws nothing. */
const Shown = ({server, pane}: {readonly server: string; readonly pane: Pane}) => {
	const get = useGetState();
	useEffect(() => {
		seenWork(get).showPane(server, pane);
		return () => seenWork(get).leavePane(server, pane);
	}, [get, server, pane]);
	return null;
};

const Dock = ({dock}: {readonly dock: NonNullable<WorkspaceLayout['dock']>}) => (
	<Row text={useApp(useCallback(state => dockLine(state, dock), [dock]))} />
);

/** Rows in which a rule from the right meets the divider at column `divider`. */
const jointsAt = ({panes, dock}: WorkspaceLayout, divider: number): readonly number[] =>
	[...panes, ...(dock ? [dock] : [])].filter(({x}) => x === divider + 1).map(({y}) => y - BODY_TOP);

const Workspace = ({columns, rows}: {readonly columns: number; readonly rows: number}) => {
	const {current, screen} = useFields('screen', 'current');
	const layout = useApp(useCallback(state => layoutNow(state, columns, rows), [columns, rows]));
	const closed = useApp(isClosed);
	const Closed = workspaceInfo()?.Closed;
	const body = bodyOf(columns, rows);
	if (Closed && (current === null || closed)) return <Closed rect={body} />;
	const {panes, dock} = layout;
	const dividers = [...new Set(panes.filter(({x}) => x > 0).map(({x}) => x - 1))];
	return (
		<Box width={columns} height={body.height}>
			{dividers.map(x => (
				<Placed key={`divider ${x}`} rect={{...body, x, width: 1}}>
					<Divider height={body.height} isTop joints={jointsAt(layout, x)} />
				</Placed>
			))}
			{panes.map(({pane, ...rect}) => {
				const {Screen} = screenSpec(pane);
				const edge = rect.x + rect.width < columns ? 1 : 0;
				return (
					<Placed key={pane} rect={{...rect, width: rect.width + edge}}>
						<Shown server={current ?? ''} pane={pane} />
						<Screen
							key={current}
							server={current ?? ''}
							rect={edge === 0 ? rect : {...rect, edge}}
							hasKeys={pane === screen}
						/>
					</Placed>
				);
			})}
			{dock && (
				<Placed rect={dock}>
					<Dock dock={dock} />
				</Placed>
			)}
		</Box>
	);
};

const Body = ({columns, rows}: {readonly columns: number; readonly rows: number}) => {
	const screen = useApp(state => state.screen);
	const rect = bodyOf(columns, rows);
	if (isPane(screen)) return <Workspace columns={columns} rows={rows} />;
	const {Screen} = screenSpec(screen);
	return <Screen key={screen} rect={rect} server="" hasKeys />;
};

const TopDialog = ({dialog, body}: {readonly dialog: Dialog; readonly body: Rect}) => {
	const {Dialog: Shown} = dialogSpec(dialog);
	return <Shown {...dialog} body={body} />;
};

const Header = ({width}: {readonly width: number}) => (
	<Row text={useApp(useCallback(state => headerLine(state, width), [width]))} />
);
const Footer = ({width, rows}: {readonly width: number; readonly rows: number}) => (
	<Row text={useApp(useCallback(state => footerLine(state, {columns: width, rows}), [width, rows]))} />
);

/** Line on every screen while the service rejects the key. */
const refusedLine = (state: State): string => {
	if (!isKeyRefused(state)) return '';
	const key = (action: 'signIn' | 'profiles'): string =>
		paint('accent', showKey(keyOf(state, 'anywhere', action)));
	return ` ${paint('bad', `${glyph.no} ${label(state.serviceName, 40)} rejected the API key:`)} ${key('signIn')} signs in again, ${key('profiles')} another profile`;
};

/** Note while a pane is zoomed. */
const zoomedNote = (state: State): string => {
	if (!state.zoomed || !isPane(state.screen)) return '';
	return ` ${paint('own', 'zoomed')} ${paint('dim', '·')} ${paint('accent', showKey(keyOf(state, 'anywhere', 'zoom')))} ${paint('dim', 'shows the others')} `;
};

/** The row above the footer: a notice for a few seconds. */
const NoticeLine = ({width}: {readonly width: number}) => {
	const notice = useApp(state => state.notice);
	const failure = useApp(noticedFailure);
	const refused = useApp(refusedLine);
	const zoomed = useApp(zoomedNote);
	if (notice === null && refused !== '') return <Row text={cut(refused, width)} />;
	if (notice === null)
		return (
			<Row text={zoomed === '' ? ' ' : ' '.repeat(Math.max(0, width - cellWidth(zoomed) - 1)) + zoomed} />
		);
	const mark = noticeMark(notice.kind);
	const text = label(notice.text, 400);
	const hint = failure === undefined ? '' : ` ${callDetailsHint(failure, 'always.evidence')} `;
	return (
		<Row
			text={` ${mark} ${cut(notice.kind === 'bad' ? paint('bad', text) : text, width - 4 - cellWidth(hint))}${hint}`}
		/>
	);
};

type Props = {
	/** Called with a function that suspends Ink's use of the terminal until `resume` is called. */
	readonly canLend?: (lend: () => Promise<{resume(): Promise<void>}>) => void;
};

/** The whole screen: exactly as many rows as the terminal has. */
export const RootView = ({canLend}: Props) => {
	const {columns, rows} = useWindowSize();
	const {suspendTerminal} = useInk();
	const look = useApp(state => state.look);
	const dialog = useApp(state => state.dialogs.at(-1));
	const dialogCount = useApp(state => state.dialogCount);
	const small = columns < SMALLEST.columns || rows < SMALLEST.rows;
	useEffect(() => canLend?.(() => suspendTerminal()), [canLend, suspendTerminal]);
	return (
		<AppearanceContext value={look}>
			<Box ref={drawnIn} width="100%" height={rows} overflow="hidden" flexDirection="column">
				{small ? (
					<Row
						text={fit(
							`svc-tui needs ${SMALLEST.columns}x${SMALLEST.rows}, this is ${columns}x${rows}`,
							columns,
						)}
					/>
				) : (
					<>
						<Header width={columns} />
						<Box height={rows - FRAME_ROWS} flexShrink={0} overflow="hidden">
							<Backdrop value={!dialog ? null : dialogSpec(dialog).isPreview ? 'as ever' : 'quiet'}>
								<Body columns={columns} rows={rows} />
							</Backdrop>
						</Box>
						<NoticeLine width={columns} />
						<Footer width={columns} rows={rows} />
						{dialog && (
							<TopDialog key={dialogCount} dialog={dialog} body={dialogAreaOf(dialog, columns, rows)} />
						)}
						<LeaderStrip columns={columns} rows={rows} />
					</>
				)}
			</Box>
		</AppearanceContext>
	);
};
