import type {Failure} from '../../../../src/api/failure.ts';
import type {Dialog, Screen} from '../../../../src/tui/core/program.ts';
import type {Store} from '../../../../src/tui/core/program.ts';
import type {Scene} from '../../scene.ts';
import type {Clock} from '../../stopped-clock.ts';
import {SERVER} from '../support.ts';
import {chat} from '../../../../src/tui/assistant/conversations.ts';

/**
 * A state of a dialog: the screen below it, the steps before it opens, and the step that opens it.
 */
export type Part = Partial<Pick<Scene, 'service' | 'until'>> & {
	readonly state: string;
	readonly on?: Screen;
	readonly arrive?: (store: Store, clock: Clock) => Promise<unknown> | void;
	readonly open?: Dialog;
};
export type Parts = Partial<Readonly<Record<Dialog['kind'], readonly Part[]>>>;

export const server = SERVER;
export const refusal =
	'nb.example failed (503): the database is away for maintenance. The service failed. Try again.';
export const refused: Failure = {
	kind: 'server',
	method: 'POST',
	path: '/servers/create',
	status: 503,
	message: refusal,
};
export const askOnce = async (store: Store): Promise<void> =>
	chat(store.getState).ask(server, 'What does train.py do? 図表は?');
