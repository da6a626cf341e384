import type {IncomingMessage} from 'node:http';
import {createInOrder} from '../../engines/in-order.ts';
import {bulkTurn} from '../../machine/bulk-turn.ts';
import {openBodyThread, type BodyThread} from './body-thread.ts';
import {ServiceFault} from './fault.ts';
import {parseJsonBody, type JsonBody} from './parse-body.ts';

const mebibyte = 2 ** 20;

/** Maximum size of a body in bytes. Larger for PUT, because it contains a file. */
const bodyLimit = (method: string): number => (method === 'PUT' ? 160 : 1) * mebibyte;

/** The client disconnected while it sent the request, so no response can be sent. */
export class ClientGoneError extends Error {}

const tooLarge = (limit: number): ServiceFault =>
	new ServiceFault(413, `The body is larger than ${limit / mebibyte} MiB; send less.`);

/**
 * Minimum size of a body that is parsed in a thread, in bytes. Parsing 1 MiB takes 10 ms, which
 * delays all requests.
 */
const THREAD_FROM = mebibyte / 8;

const inOrder = createInOrder();

/** Passes the parts of a body to `onPart` as they arrive. */
const receive = async (
	request: IncomingMessage,
	limit: number,
	onPart: (part: Buffer) => void,
): Promise<void> => {
	if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	let size = 0;
	const take = (part: Buffer): void => {
		size += part.length;
		try {
			if (size > limit) throw tooLarge(limit);
			onPart(part);
			if (size <= THREAD_FROM) return;
			// Pauses, because Node would otherwise read up to 2 MiB of this connection before it
			// serves others.
			request.pause();
			void bulkTurn().then(() => request.resume());
		} catch (error) {
			request.off('data', take);
			reject(error);
		}
	};
	request.on('data', take);
	request.once('end', () => resolve());
	request.once('error', () => reject(new ClientGoneError()));
	request.once('close', () => reject(new ClientGoneError()));
	return promise.finally(() => request.off('data', take));
};

/**
 * Reads the body as a JSON object. `onBytes` may throw an error to reject a part. Large bodies of
 * the same user are parsed one at a time.
 * @throws {ServiceFault} 413 if it is too large, 400 if it is not UTF-8, not JSON or not an object.
 * @throws {ClientGoneError} if the client disconnects.
 */
export const readJsonBody = async (
	request: IncomingMessage,
	user: string,
	onBytes: (count: number) => void,
): Promise<JsonBody> => {
	const parts: Buffer[] = [];
	let size = 0;
	let thread: BodyThread | undefined;
	try {
		await receive(request, bodyLimit(request.method ?? ''), part => {
			onBytes(part.length);
			size += part.length;
			if (size <= THREAD_FROM) return void parts.push(part);
			thread ??= openBodyThread(parts.splice(0));
			thread.push(part);
		});
		const large = thread;
		if (large) return await inOrder(user, () => large.end());
		return {body: parseJsonBody(Buffer.concat(parts)), decoded: undefined};
	} finally {
		thread?.close();
	}
};
