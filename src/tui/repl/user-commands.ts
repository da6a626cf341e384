import {keyFor} from '../../text/key-name.ts';
import {label} from '../../text/safe.ts';
import type {Feature} from '../core/feature.ts';
import {runUserCommand} from '../core/ports.ts';
import {isOpen} from '../servers/opened.ts';
import {replSession} from './session.ts';
import {route} from '../core/store/route.ts';

declare module '../core/store/deps.ts' {
	interface Deps {
		/** Code of the user's own commands, by name. */
		readonly ownCommands?: ReadonlyMap<string, string>;
	}
}

declare module '../core/program.ts' {
	interface State {
		readonly ownCommands: ReadonlyMap<string, string>;
	}
}

/** The user's own commands. */
export const userCommands: Feature = {
	parts: [
		{first: ({ownCommands = new Map()}) => ({ownCommands}), start() {}},
		/** Runs a command's code in the REPL of the current server. */
		runUserCommand.provide(({get}, name) => {
			const {current: server, ownCommands} = get();
			const code = ownCommands.get(name);
			if (code === undefined) return;
			if (server === null) return 'Choose a server first';
			if (!isOpen(get(), server))
				return `${label(server, 60)} is not ready, so ${name} was not run: ${keyFor('servers.start')} starts it`;
			// Text that the user has typed in the REPL's field stays there.
			replSession(get).runCells(server, [code]);
			route(get).chooseServer(server, 'repl');
		}),
	],
};
