import type {Found, Verdict} from './found.ts';
import {oneLine} from './plain.ts';

/** Last non-empty line of a log, which usually contains the error. */
export const lastLine = (log: string): string => log.split('\n').findLast(line => line.trim() !== '') ?? '';

/** Sentence about the end of a server that wrote its exit code. */
export const endText = (ended: string, log: string): string => {
	const [, code = ''] = /^exit (\d+)/.exec(ended) ?? [];
	if (code === '' || code === '0' || ended.endsWith(' told')) return 'Shut down. Files are kept.';
	if (code === '72') return 'The folder of the server no longer exists on the host.';
	if (code === '73')
		return 'No folder for the socket could be created in /tmp on the host. Name another one in "setup", as in export TMPDIR=~/tmp.';
	const said = lastLine(log);
	return `Jupyter Server ended there (exit code ${code})${said === '' ? '' : `: ${oneLine(said).replace(/\.$/, '')}`}.`;
};

/** Determines the state of a server that runs as a process of its host. */
export const judgeProcess = ({values, socket, log}: Found, host: string): Verdict => {
	const ended = values.get('ended');
	if (ended !== undefined) return {state: 'ended', reason: endText(ended, log)};
	switch (values.get('alive')) {
		case 'yes':
			return socket === null ? {state: 'starting', reason: 'Starting Jupyter.'} : {state: 'listens', socket};
		case 'no':
			return {state: 'ended', reason: `The server process on ${host} has ended. Files are kept.`};
		case 'rebooted':
			return {state: 'ended', reason: `${host} was restarted. Files are kept.`};
		case 'elsewhere': {
			const machine = oneLine(values.get('host') ?? '', 60);
			return {
				state: 'unknown',
				reason: `The server runs on ${machine}, but ${host} leads to another machine now: name ${machine} in ~/.ssh/config, or stop it there.`,
			};
		}
		default:
			return {state: 'starting', reason: 'Starting Jupyter.'};
	}
};
