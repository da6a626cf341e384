import {keyFor} from '../../text/key-name.ts';
import {label} from '../../text/safe.ts';
import type {KeyHandlers, Feature} from '../core/feature.ts';
import {isOpen} from '../servers/opened.ts';
import {replSession} from './session.ts';
import {route} from '../core/store/route.ts';

declare module '../core/store/deps.ts' {
	interface Deps {
		/** Code of the user's own, by the name of its command. */
		readonly ownCommands?: ReadonlyMap<string, string>;
	}
}

declare module '../core/program.ts' {
	interface State {
		readonly ownCommands: ReadonlyMap<string, string>;
	}
}

/** On the current server, in its REPL, and nowhere else. */
const own: KeyHandlers<'own'> = ({get}) =>
	Object.fromEntries(
		[...get().ownCommands].map(([name, code]) => [
			name,
			(): string | void => {
				const {current: server} = get();
				if (server === null) return 'Choose a server first';
				if (!isOpen(get(), server))
					return `${label(server, 60)} is not ready, so ${name} was not run: ${keyFor('servers.start')} starts it`;
				// What is typed in its field stays there.
				replSession(get).runCells(server, [code]);
				route(get).chooseServer(server, 'repl');
			},
		]),
	);

/** Commands of the user's own, wherever they are pressed. */
export const userCommandHandlers: Feature = {
	parts: [{first: ({ownCommands = new Map()}) => ({ownCommands}), start() {}}],
	handlers: {own},
};
