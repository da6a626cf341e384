import type {ListedKernel} from '../../../api/client-types.ts';
import {knownText, numberText, UNKNOWN} from '../../../text/known.ts';
import {label} from '../../../text/safe.ts';
import {bytesText} from '../../../text/size.ts';
import {agoText} from '../../core/components/age.ts';
import type {Column} from '../../core/components/table.ts';
import {paint} from '../../core/theme/theme.ts';

/** Prefix of this program's session paths: the REPL's cells, commands, the service's requests. */
const OWN = /^svc-tui-/;

/** Users of a kernel, as far as the server reports them. The REPL's own session comes first. */
export const kernelUsers = ({sessions, isOfSession}: ListedKernel): string => {
	const users = sessions.flatMap(({type, path}) =>
		OWN.test(path)
			? isOfSession
				? []
				: ['commands']
			: [type === 'notebook' ? label(path, 200) : label(`${type} ${path}`, 200)],
	);
	return [...(isOfSession ? ['this REPL'] : []), ...users].join(', ') || 'no session';
};

/** State of a kernel; `busy` while the REPL runs a cell in it, as the server may report it late. */
export const kernelState = ({state, isOfSession}: ListedKernel, isRunning: boolean): string =>
	isOfSession && isRunning ? 'busy' : label(knownText(state ?? ''), 12);

const STATES: Readonly<Record<string, 'busy' | 'bad'>> = {
	busy: 'busy',
	starting: 'busy',
	restarting: 'busy',
	autorestarting: 'busy',
	dead: 'bad',
};

/**
 * `isRunning`: the REPL is running a cell. `tellsMemory`: the server reports the memory of kernels.
 */
export const kernelColumns = (
	isRunning: boolean,
	now: number,
	tellsMemory: boolean,
): readonly Column<ListedKernel>[] => [
	{head: 'KERNEL', value: ({name}) => label(name, 60), max: 34, least: 16},
	{
		head: 'STATE',
		value: kernel => kernelState(kernel, isRunning),
		style(kernel, cell) {
			const role = STATES[kernelState(kernel, isRunning)];
			return role === undefined ? cell : paint(role, cell);
		},
	},
	{head: 'USED BY', value: kernelUsers, max: 80, least: 26},
	{
		head: 'ACTIVE',
		value: ({lastActivity}) => (lastActivity === null ? UNKNOWN : agoText(lastActivity, now)),
		drop: 2,
	},
	...(tellsMemory
		? ([
				{
					head: 'MEMORY',
					value: ({memory}: ListedKernel) => (memory === null ? UNKNOWN : bytesText(memory)),
					right: true,
				},
			] satisfies readonly Column<ListedKernel>[])
		: []),
	{head: 'CONN.', value: ({connections}) => numberText(connections), right: true, drop: 1},
];
