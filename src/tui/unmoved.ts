// Functions of parts that repl/ and files/, which are slices still, call through the state.
import type {App} from './core/app.ts';
import type {State} from './core/program.ts';
import type {AttachedServers} from './servers/attach.ts';
import type {Clipboard} from './core/store/clipboard.ts';
import type {EnvironmentList} from './environments/environments.ts';
import type {ListViews} from './core/store/lists.ts';
import type {Notices} from './core/store/notices.ts';
import type {OpenServers} from './servers/opened.ts';
import type {PictureViewer} from './pictures/pictures.ts';
import type {PlacedPictures} from './pictures/placed.ts';
import type {Renting} from './servers/create/submit.ts';
import type {Route} from './core/store/route.ts';
import type {SeenWork} from './core/store/seen.ts';
import type {ServerList} from './servers/servers.ts';
import type {TableViewer} from './tables/tables.ts';

declare module './core/program.ts' {
	interface State
		extends
			Pick<AttachedServers, 'detach'>,
			Pick<Clipboard, 'copy'>,
			Pick<EnvironmentList, 'refreshEnvironments'>,
			Pick<ListViews, 'changeList' | 'setFiltering'>,
			Pick<Notices, 'dismissNotice' | 'notify'>,
			Pick<OpenServers, 'heardServer'>,
			Pick<PictureViewer, 'openPicture' | 'viewOutside'>,
			Pick<PlacedPictures, 'placeInView'>,
			Pick<Renting, 'startAgain'>,
			Pick<
				Route,
				'changeDialog' | 'chooseServer' | 'closeDialog' | 'focusPart' | 'go' | 'keepLine' | 'openDialog'
			>,
			Pick<SeenWork, 'leavePane' | 'showPane'>,
			Pick<ServerList, 'doubtServers' | 'refreshServers'>,
			Pick<TableViewer, 'openTable'> {}
}

export const functionsOf = ({parts}: App): Partial<State> =>
	Object.assign({}, ...parts.values()) as Partial<State>;
