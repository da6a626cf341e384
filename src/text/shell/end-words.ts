import {label} from '../safe.ts';

/** Unexpected end of a shell as a sentence, without a full stop. Undefined if expected. */
export const shellEndWords = (
	end: 'exited' | 'stopped' | 'left' | 'gone' | 'lost' | 'too-much',
	server: string,
): string | undefined => {
	const name = label(server, 60);
	switch (end) {
		case 'left':
			return `Left the shell on ${name}; it was ended there`;
		case 'gone':
			return `The shell on ${name} is gone: the server ended it, or was restarted`;
		case 'lost':
			return `${name} did not answer any more, and its shell was given up; it may still run there`;
		case 'too-much':
			return `The connection broke, and the shell on ${name} had printed too much to be shown again; it may still run there`;
		default:
			return undefined;
	}
};
