import type {ServerItem} from '../../../contract/servers.ts';
import {startForm} from '../../../store/create-form.ts';
import type {State} from '../../../store/store.ts';
import {label} from '../../../text/safe.ts';

/** Opens the form that starts an offline server, or answers why it cannot be started now. */
export const askToStart = (get: () => State, server: ServerItem | undefined): string | void => {
	if (server === undefined) return 'There is no server to start: c creates one';
	if (server.status !== 'offline') return `${label(server.name)} is ${label(server.status)}: only an offline server can be started`;
	get().openDialog({kind: 'create', form: startForm(server)});
};
