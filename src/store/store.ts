import {createStore as createVanilla, type StoreApi} from 'zustand/vanilla';
import {createAssistantSlice, type AssistantSlice} from './assistant.ts';
import {createBlocksSlice, type BlocksSlice} from './assistant-blocks.ts';
import {createCarrySlice, type CarrySlice} from './assistant-carry.ts';
import {createCompareSlice, type CompareSlice} from './assistant-compare.ts';
import {createCellActionsSlice, type CellActionsSlice} from './cell-actions.ts';
import {createCellsSlice, type CellsSlice} from './cells.ts';
import {createAddressesSlice, type AddressesSlice} from './address-actions.ts';
import {createClipboardSlice, type ClipboardSlice} from './clipboard.ts';
import {createComputeSlice, type ComputeSlice} from './compute.ts';
import {createComputeWatchSlice, type ComputeWatchSlice} from './compute-watch.ts';
import type {Deps} from './deps.ts';
import {createEnvironmentsSlice, type EnvironmentsSlice} from './environments.ts';
import {createExternalEditorSlice, type ExternalEditorSlice} from './external-editor.ts';
import {createFileWritingSlice, type FileWritingSlice} from './file-writing.ts';
import {createKeptEditsSlice, type KeptEditsSlice} from './kept-edits.ts';
import {createFilesSlice, type FilesSlice} from './files.ts';
import {createKernelNamesSlice, type KernelNamesSlice} from './kernel-names.ts';
import {createListsSlice, type ListsSlice} from './lists.ts';
import {createNoticesSlice, type NoticesSlice} from './notices.ts';
import {createRequestsSlice, type RequestsSlice} from './requests.ts';
import {createRentingSlice, type RentingSlice} from './renting.ts';
import {createRouteSlice, type RouteSlice} from './route.ts';
import {createSeenSlice, type SeenSlice} from './seen.ts';
import {createServersSlice, type ServersSlice} from './servers.ts';
import {createSessionSlice, type SessionSlice} from './session.ts';
import {createTransfersSlice, type TransfersSlice} from './transfers.ts';
import {createViewerSlice, type ViewerSlice} from './viewer.ts';

export type State =
	& SessionSlice
	& RouteSlice
	& ListsSlice
	& ClipboardSlice
	& ExternalEditorSlice
	& RequestsSlice
	& NoticesSlice
	& ServersSlice
	& RentingSlice
	& AddressesSlice
	& ComputeSlice
	& ComputeWatchSlice
	& EnvironmentsSlice
	& FilesSlice
	& ViewerSlice
	& FileWritingSlice
	& KeptEditsSlice
	& TransfersSlice
	& CellsSlice
	& CellActionsSlice
	& KernelNamesSlice
	& AssistantSlice
	& CarrySlice
	& SeenSlice
	& CompareSlice
	& BlocksSlice;
export type Store = StoreApi<State>;

/** The one store of the program: a slice per noun. */
export const createStore = (deps: Deps): Store =>
	createVanilla<State>()((...args) => ({
		...createSessionSlice(deps)(...args),
		...createRouteSlice(...args),
		...createSeenSlice(deps)(...args),
		...createListsSlice(...args),
		...createClipboardSlice(deps)(...args),
		...createExternalEditorSlice(deps)(...args),
		...createRequestsSlice(deps)(...args),
		...createNoticesSlice(deps)(...args),
		...createServersSlice(deps)(...args),
		...createRentingSlice(deps)(...args),
		...createAddressesSlice(deps)(...args),
		...createComputeSlice(deps)(...args),
		...createComputeWatchSlice(...args),
		...createEnvironmentsSlice(deps)(...args),
		...createFilesSlice(deps)(...args),
		...createViewerSlice(deps)(...args),
		...createFileWritingSlice(deps)(...args),
		...createKeptEditsSlice(deps)(...args),
		...createTransfersSlice(deps)(...args),
		...createCellsSlice(deps)(...args),
		...createCellActionsSlice(deps)(...args),
		...createKernelNamesSlice(deps)(...args),
		...createAssistantSlice(deps)(...args),
		...createCarrySlice(deps)(...args),
		...createCompareSlice(deps)(...args),
		...createBlocksSlice(...args),
	}));
