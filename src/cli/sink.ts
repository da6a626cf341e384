import {CommandError} from './command-error.ts';
import type {Sink} from './context.ts';
import {codeOf} from '../text/errors.ts';

/**
 * True if the reader of a pipe or terminal has closed it, or if the stream was destroyed for that
 * reason.
 */
const isGone = (error: Error): boolean =>
	['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'].includes(codeOf(error));

/** Output stream of the process. `onGone`: called once, when the reader has closed the stream. */
export const createSink = (stream: NodeJS.WriteStream, onGone: () => void): Sink => {
	let gone = false;
	// Needed, because without a listener Node throws these errors. The callback of each write
	// receives them too.
	stream.on('error', () => {});
	return {
		isTTY: stream.isTTY,
		columns: stream.isTTY ? stream.columns || 80 : Infinity,
		write: data =>
			new Promise((resolve, reject) => {
				if (gone || data.length === 0) return resolve();
				stream.write(data, error => {
					if (!error) return resolve();
					if (!isGone(error))
						return reject(
							new CommandError(
								'local-file',
								`The output cannot be written: ${codeOf(error) === 'ENOSPC' ? 'the disk is full' : codeOf(error)}.`,
								'The output is incomplete.',
							),
						);
					if (!gone) onGone();
					gone = true;
					resolve();
				});
			}),
	};
};
