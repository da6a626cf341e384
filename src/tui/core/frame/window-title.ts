import {label} from '../../../text/safe.ts';
import type {State} from '../program.ts';
import {workspaceInfo} from '../features.ts';
import {forTerminal} from '../theme/theme.ts';

/** Title of the window: the current server, to which all typed text goes, or the service. */
export const windowTitle = (state: State): string =>
	forTerminal(`${workspaceInfo()?.mark.words(state) || label(state.serviceName, 40)} · svc-tui`);
