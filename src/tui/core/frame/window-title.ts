import {label} from '../../../text/safe.ts';
import type {State} from '../program.ts';
import {workspaceInfo} from '../features.ts';
import {forTerminal} from '../theme/theme.ts';

/** What the window is called: the server that all that is typed goes to, or the service. */
export const windowTitle = (state: State): string =>
	forTerminal(`${workspaceInfo()?.mark.words(state) || label(state.serviceName, 40)} · svc-tui`);
