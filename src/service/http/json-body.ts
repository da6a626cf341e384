import {isUtf8} from 'node:buffer';
import type {IncomingMessage} from 'node:http';
import {ServiceFault} from './fault.ts';

const mebibyte = 2 ** 20;

/** Largest body in bytes. A PUT carries a file. */
const bodyLimit = (method: string): number => (method === 'PUT' ? 160 : 1) * mebibyte;

/** The client disconnected while sending, so no response is possible. */
export class ClientGoneError extends Error {}

const tooLarge = (limit: number): ServiceFault =>
	new ServiceFault(413, `The body is larger than ${limit / mebibyte} MiB; send less.`);

const readBytes = async (
	request: IncomingMessage,
	limit: number,
	onBytes: (count: number) => void,
): Promise<Buffer> => {
	if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
	const {promise, resolve, reject} = Promise.withResolvers<Buffer>();
	const parts: Buffer[] = [];
	let size = 0;
	const take = (part: Buffer): void => {
		size += part.length;
		try {
			if (size > limit) throw tooLarge(limit);
			onBytes(part.length);
			parts.push(part);
		} catch (error) {
			request.off('data', take);
			reject(error);
		}
	};
	request.on('data', take);
	request.once('end', () => resolve(Buffer.concat(parts)));
	request.once('error', () => reject(new ClientGoneError()));
	request.once('close', () => reject(new ClientGoneError()));
	return promise.finally(() => {
		request.off('data', take);
		parts.length = 0;
	});
};

/**
 * Reads the body as a JSON object. `onBytes` may throw to refuse a part.
 * @throws {ServiceFault} 413 if too large, 400 if not UTF-8, not JSON or not an object.
 * @throws {ClientGoneError} if the client disconnects.
 */
export const readJsonBody = async (
	request: IncomingMessage,
	onBytes: (count: number) => void,
): Promise<Readonly<Record<string, unknown>>> => {
	const bytes = await readBytes(request, bodyLimit(request.method ?? ''), onBytes);
	if (!isUtf8(bytes)) throw new ServiceFault(400, 'The body is not UTF-8 text.');
	let value: unknown;
	try {
		value = JSON.parse(bytes.toString('utf8'));
	} catch {
		throw new ServiceFault(400, 'The body is not valid JSON.');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		throw new ServiceFault(400, 'The body must be a JSON object.');
	return value as Readonly<Record<string, unknown>>;
};
