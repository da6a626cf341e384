import {useApp, useFields} from '../store-context.ts';
import {isAwaited, type Remote} from '../store/remote.ts';
import {keyHint} from './key-hint.ts';
import {usualTime, type Wait} from './remote-line.ts';

/** Data for the text about the wait for a list. `isFirst`: true on the first screen. */
export const useListWait = (remote: Remote<unknown>, what: string, isFirst = false): Wait => {
	const {isLocal, serviceName} = useFields('isLocal', 'serviceName');
	const usual = useApp(({requests}) => (isAwaited(remote) ? usualTime(requests) : undefined));
	return {
		what,
		host: isLocal ? '' : serviceName,
		usual,
		meanwhile: isFirst ? '' : keyHint('global.servers', 'servers until then'),
	};
};
