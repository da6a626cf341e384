import {keyFor} from '../../text/key-name.ts';
import {label} from '../../text/safe.ts';
import type {KeyHandlers, Feature} from '../core/feature.ts';
import {isOpen} from '../servers/opened.ts';
import {replSession} from './session.ts';
import {route} from '../core/store/route.ts';

declare module '../core/store/deps.ts' {
	interface Deps {
		/** The user's own code, by the name of its command. */
		readonly ownCommands?: ReadonlyMap<string, string>;
	}
}

declare module '../core/program.ts' {
	interface State {
		readonly ownCommands: ReadonlyMap<string, string>;
	}
}

/** Runs on the current server, in its REPL only. */
const own: KeyHandlers<'own'> = ({get}) =>
	Object.fromEntries(
		[...get().ownCommands].map(([name, code]) => [
			name,
			(): string | void => {
				const {current: server} = get();
				if (server === null) return 'Choose a server first';
				if (!isOpen(get(), server))
					return `${label(server, 60)} is not ready, so ${name} was not run: ${keyFor('servers.start')} starts it`;
				// Text typed in the REPL's field stays there.
				replSession(get).runCells(server, [code]);
				route(get).chooseServer(server, 'repl');
			},
		]),
	);

/** The user's own commands, which work on every screen. */
export const userCommandHandlers: Feature = {
	parts: [{first: ({ownCommands = new Map()}) => ({ownCommands}), start() {}}],
	handlers: {own},
};
