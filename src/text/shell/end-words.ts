import {label} from '../safe.ts';

/**
 * Sentence, without a full stop, about the unexpected end of a shell. Undefined if the end was
 * expected.
 */
export const shellEndText = (
	end: 'exited' | 'stopped' | 'left' | 'gone' | 'lost' | 'too-much',
	server: string,
): string | undefined => {
	const name = label(server, 60);
	switch (end) {
		case 'left':
			return `Left the shell on ${name} and closed it`;
		case 'gone':
			return `The shell on ${name} is gone: the server closed it or was restarted`;
		case 'lost':
			return `${name} stopped responding; gave up on its shell, which may still be running`;
		case 'too-much':
			return `The connection broke and too much output was missed to resume the shell on ${name}; it may still be running`;
		default:
			return undefined;
	}
};
