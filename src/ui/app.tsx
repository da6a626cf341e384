import {Box, useApp as useInk, useWindowSize} from 'ink';
import {useEffect} from 'react';
import {isPane, type Dialog, type Pane} from '../store/route.ts';
import {findServer} from '../store/servers.ts';
import {isKeyRefused} from '../store/session.ts';
import type {State} from '../store/store.ts';
import {label} from '../text/safe.ts';
import {cellWidth, cut, fit} from '../text/width.ts';
import {Divider, Row} from './components/rows.tsx';
import {CodeHistory} from './dialogs/code-history.tsx';
import {AddFile} from './dialogs/add-file.tsx';
import {GoToPath, ListByCode} from './dialogs/path-dialogs.tsx';
import {CommandLine} from './dialogs/command-line.tsx';
import {CompareModels} from './dialogs/compare-models.tsx';
import {Compare} from './dialogs/compare.tsx';
import {ComputeChanges} from './dialogs/compute-changes.tsx';
import {ExplainPacket} from './dialogs/explain-packet.tsx';
import {Messages} from './dialogs/messages.tsx';
import {Palette} from './dialogs/palette.tsx';
import {Profiles} from './dialogs/profiles.tsx';
import {Requests} from './dialogs/requests.tsx';
import {SignIn} from './dialogs/sign-in.tsx';
import {AddressesDialog} from './dialogs/addresses-dialog.tsx';
import {ExportSession} from './dialogs/export-session.tsx';
import {FacetPicker} from './dialogs/facet-picker.tsx';
import {Help} from './dialogs/help.tsx';
import {KeptEditDialog, KeptEdits} from './dialogs/kept-edits.tsx';
import {Places} from './dialogs/places.tsx';
import {PriceDialog} from './dialogs/price-dialog.tsx';
import {ServerDialog} from './dialogs/server-dialog.tsx';
import {ServerForm} from './dialogs/server-form.tsx';
import {ModelPicker} from './dialogs/model-picker.tsx';
import {Overwrite, TransferPath} from './dialogs/transfer-dialogs.tsx';
import {Conversations, DeleteConversation, FindTurn} from './dialogs/conversations.tsx';
import {Tray} from './dialogs/tray.tsx';
import {WritePath} from './dialogs/write-path.tsx';
import {Difference, WriteFile} from './dialogs/write-file.tsx';
import {footerLine, showKey} from './frame/footer.ts';
import {headerLine} from './frame/header.tsx';
import {bodyOf, paneRects, SMALLEST, visiblePanes, type Rect} from './frame/layout.ts';
import {OfflinePane} from './frame/offline-pane.tsx';
import {GlobalKeys} from './frame/global-keys.tsx';
import {AssistantScreen} from './screens/assistant/assistant-screen.tsx';
import {ComputeScreen} from './screens/compute/compute-screen.tsx';
import {EnvironmentsScreen} from './screens/environments/environments-screen.tsx';
import {FilesScreen} from './screens/files/files-screen.tsx';
import {ReplScreen} from './screens/repl/repl-screen.tsx';
import {ServersScreen} from './screens/servers/servers-screen.tsx';
import {keyOf} from './keys/live-keys.ts';
import {useApp, useGetState} from './store-context.ts';
import {glyph} from './theme/glyphs.ts';
import {paint} from './theme/theme.ts';

const PANES = {files: FilesScreen, repl: ReplScreen, assistant: AssistantScreen} as const;

/** Tells the store that a pane is on screen as long as it is. Draws nothing. */
const Shown = ({server, pane}: {readonly server: string; readonly pane: Pane}) => {
	const get = useGetState();
	useEffect(() => {
		get().showPane(server, pane);
		return () => get().leavePane(server, pane);
	}, [get, server, pane]);
	return null;
};

const Workspace = ({columns, rows}: {readonly columns: number; readonly rows: number}) => {
	const screen = useApp(state => state.screen);
	const docked = useApp(state => state.docked);
	const partner = useApp(state => state.partner);
	const zoomed = useApp(state => state.zoomed);
	const current = useApp(state => state.current);
	const ready = useApp(state => findServer(state, state.current)?.status === 'ready');
	if (current === null || !ready) return <OfflinePane rect={bodyOf(columns, rows)}/>;
	const rects = paneRects({screen, docked, partner, zoomed}, columns, rows);
	return (
		<Box>
			{rects.flatMap((rect, index) => {
				const Screen = PANES[rect.pane];
				const divider = index === 0 ? [] : [
					<Box key={`before ${rect.pane}`} width={1} flexShrink={0}><Divider height={rect.height}/></Box>,
				];
				return [...divider, <Box key={rect.pane} width={rect.width} flexShrink={0}><Shown server={current} pane={rect.pane}/><Screen key={current} server={current} rect={rect} hasKeys={rect.pane === screen}/></Box>];
			})}
		</Box>
	);
};

const Body = ({columns, rows}: {readonly columns: number; readonly rows: number}) => {
	const screen = useApp(state => state.screen);
	const rect = bodyOf(columns, rows);
	if (isPane(screen)) return <Workspace columns={columns} rows={rows}/>;
	if (screen === 'compute') return <ComputeScreen rect={rect}/>;
	return screen === 'environments' ? <EnvironmentsScreen rect={rect}/> : <ServersScreen rect={rect}/>;
};

const TopDialog = ({dialog, body}: {readonly dialog: Dialog; readonly body: Rect}) => {
	switch (dialog.kind) {
		case 'create': return <ServerForm form={dialog.form} body={body}/>;
		case 'price': return <PriceDialog {...dialog} body={body}/>;
		case 'server': return <ServerDialog server={dialog.server} body={body}/>;
		case 'addresses': return <AddressesDialog {...dialog} body={body}/>;
		case 'history': return <CodeHistory server={dialog.server} body={body}/>;
		case 'places': return <Places server={dialog.server} places={dialog.places} body={body}/>;
		case 'export': return <ExportSession server={dialog.server} body={body}/>;
		case 'explain': return <ExplainPacket server={dialog.server} packet={dialog.packet} body={body}/>;
		case 'model': return <ModelPicker server={dialog.server} again={dialog.again} body={body}/>;
		case 'compare-models': return <CompareModels server={dialog.server} body={body}/>;
		case 'write-path': return <WritePath server={dialog.server} code={dialog.code} body={body}/>;
		case 'conversations': return <Conversations server={dialog.server} body={body}/>;
		case 'delete-conversation': return <DeleteConversation server={dialog.server} body={body}/>;
		case 'find-turn': return <FindTurn server={dialog.server} text={dialog.text} body={body}/>;
		case 'tray': return <Tray server={dialog.server} body={body}/>;
		case 'facet': return <FacetPicker facet={dialog.facet} body={body}/>;
		case 'compare': return <Compare body={body}/>;
		case 'changes': return <ComputeChanges body={body}/>;
		case 'help': return <Help body={body}/>;
		case 'palette': return <Palette body={body}/>;
		case 'command-line': return <CommandLine body={body}/>;
		case 'messages': return <Messages body={body}/>;
		case 'requests': return <Requests body={body}/>;
		case 'profiles': return <Profiles body={body}/>;
		case 'add-file': return <AddFile {...dialog} body={body}/>;
		case 'transfer': return <TransferPath {...dialog} body={body}/>;
		case 'overwrite': return <Overwrite {...dialog} body={body}/>;
		case 'go-to-path': return <GoToPath server={dialog.server} body={body}/>;
		case 'list-by-code': return <ListByCode server={dialog.server} body={body}/>;
		case 'write-file': return <WriteFile writing={dialog.writing} body={body}/>;
		case 'kept-edits': return <KeptEdits body={body}/>;
		case 'kept-edit': return <KeptEditDialog {...dialog} body={body}/>;
		case 'difference': return <Difference {...dialog} body={body}/>;
		case 'sign-in': return <SignIn form={dialog.form} body={body}/>;
	}
};

const Header = ({width}: {readonly width: number}) => <Row text={useApp(state => headerLine(state, width))}/>;
const Footer = ({width}: {readonly width: number}) => <Row text={useApp(state => footerLine(state, width))}/>;

/** What stands on every screen while the service does not take the key. */
const refusedLine = (state: State): string => {
	if (!isKeyRefused(state)) return '';
	const key = (action: 'signIn' | 'profiles'): string => paint('accent', showKey(keyOf(state, 'anywhere', action)));
	return ` ${paint('bad', `${glyph.no} ${label(state.serviceName, 40)} refuses the API key:`)} ${key('signIn')} signs in again, ${key('profiles')} another profile`;
};

/** Said while a pane stands alone where others would stand beside it. */
const zoomedNote = (state: State, columns: number): string => {
	if (!state.zoomed || !isPane(state.screen) || visiblePanes({...state, zoomed: false}, columns).length < 2) return '';
	return ` ${paint('own', 'zoomed')} ${paint('dim', '·')} ${paint('accent', showKey(keyOf(state, 'anywhere', 'zoom')))} ${paint('dim', 'shows the others')} `;
};

const ruleLine = (note: string, width: number): string =>
	(note === '' ? paint('dim', glyph.rule.repeat(width)) : paint('dim', glyph.rule.repeat(width - cellWidth(note) - 2)) + note + paint('dim', glyph.rule.repeat(2)));

/** The rule above the footer; a notice stands in it for a while. */
const NoticeLine = ({width}: {readonly width: number}) => {
	const notice = useApp(state => state.notice);
	const refused = useApp(refusedLine);
	const zoomed = useApp(state => zoomedNote(state, width));
	if (notice === null && refused !== '') return <Row text={cut(refused, width)}/>;
	if (notice === null) return <Row text={ruleLine(zoomed, width)}/>;
	const mark = {info: paint('accent', glyph.prompt), good: paint('good', glyph.yes), bad: paint('bad', glyph.no)}[notice.kind];
	const text = label(notice.text, 400);
	return <Row text={` ${mark} ${cut(notice.kind === 'bad' ? paint('bad', text) : text, width - 4)}`}/>;
};

type AppActions = {
	readonly quit: () => void;
	readonly suspend: () => void;
	/** Called with what makes Ink leave the terminal alone until it is resumed. */
	readonly canLend: (lend: () => Promise<{resume(): Promise<void>}>) => void;
};

/** The whole screen: exactly as many rows as the terminal has. */
export const App = ({actions}: {readonly actions: AppActions}) => {
	const {columns, rows} = useWindowSize();
	const {suspendTerminal} = useInk();
	const dialog = useApp(state => state.dialogs.at(-1));
	const dialogCount = useApp(state => state.dialogCount);
	const small = columns < SMALLEST.columns || rows < SMALLEST.rows;
	// A second one within the same turn is refused, and is not needed.
	const redraw = (): void => void suspendTerminal(async () => {}).catch(() => {});
	useEffect(() => actions.canLend(() => suspendTerminal()), [actions, suspendTerminal]);
	return (
		<Box width="100%" height={rows} overflow="hidden" flexDirection="column">
			<GlobalKeys columns={columns} quit={actions.quit} redraw={redraw} suspend={actions.suspend}/>
			{small ? <Row text={fit(`svc-tui needs ${SMALLEST.columns}x${SMALLEST.rows}, this is ${columns}x${rows}`, columns)}/> : (
				<>
					<Header width={columns}/>
					<Row text={paint('dim', glyph.rule.repeat(columns))}/>
					<Box height={rows - 4} flexShrink={0} overflow="hidden"><Body columns={columns} rows={rows}/></Box>
					<NoticeLine width={columns}/>
					<Footer width={columns}/>
					{dialog && <TopDialog key={dialogCount} dialog={dialog} body={bodyOf(columns, rows)}/>}
				</>
			)}
		</Box>
	);
};
