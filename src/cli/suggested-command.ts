import {SERVICE_FLAGS, type ServiceOptions} from '../settings/target.ts';
import {shellWord} from '../text/shell-word.ts';

/** Command line of this program, with the options that select the same service. */
export const suggestedCommand = (words: readonly string[], options: ServiceOptions): string => {
	const given = (Object.keys(SERVICE_FLAGS) as (keyof ServiceOptions)[]).flatMap(name => {
		const [flag, value] = [SERVICE_FLAGS[name], options[name]];
		return value === true ? [flag] : typeof value === 'string' ? [flag, value] : [];
	});
	return ['svc-tui', ...words, ...given].map(shellWord).join(' ');
};
