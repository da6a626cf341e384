import {createHash} from 'node:crypto';
import {createWriteStream} from 'node:fs';
import {open, rename, rm} from 'node:fs/promises';
import {Transform} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import http from 'node:http';
import https from 'node:https';
import got, {HTTPError} from 'got';
import {diskReason} from '../../../machine/disk-fault.ts';
import {proxyFor} from '../../../machine/proxy.ts';
import {isUntrusted, trustSystem} from '../../../machine/trust.ts';
import {codeOf, messageOf} from '../../../text/errors.ts';
import {StartError} from '../../engine.ts';

/** Maximum size of a file in bytes. Pyodide's largest package has 40 MB. */
const MAX_BYTES = 500_000_000;
/** Time without received data after which a download is aborted, in ms. */
const SILENCE_MS = 30_000;
/** Time limit for requesting the size of a file, in ms. */
const HEAD_MS = 5000;
const ATTEMPTS = 3;
/** Codes of write errors that cannot come from the network. These errors name no path. */
const ONLY_OF_DISKS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);

export type DownloadOptions = {
	readonly url: URL;
	/** Path of the finished file. It is created only after the hash was verified. */
	readonly target: string;
	/** SHA-256 in lower-case hexadecimal. */
	readonly sha256: string;
	readonly proxyEnv: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
	/** True for a file from a package index. The messages then suggest other settings. */
	readonly isIndexed?: boolean;
	/**
	 * Called with the number of bytes received so far, and the total. The total is null if the
	 * server does not state it.
	 */
	readonly onBytes?: (received: number, total: number | null) => void;
};

const clientFor = (url: URL, proxyEnv: DownloadOptions['proxyEnv']) => {
	const proxy = proxyFor(url, proxyEnv);
	if (typeof proxy === 'string') throw new StartError(proxy);
	const options = proxy === undefined ? {} : {proxyEnv: {...proxy.env}};
	return got.extend({
		agent: {http: new http.Agent(options), https: new https.Agent(options)},
		retry: {limit: 0},
		http2: false,
		decompress: false,
		timeout: {lookup: SILENCE_MS, connect: SILENCE_MS, socket: SILENCE_MS, response: SILENCE_MS},
		headers: {'user-agent': 'svc-tui'},
	});
};

/** Size of a file in bytes. Null if the server does not state it or does not respond. */
export const sizeOf = async (
	url: URL,
	{proxyEnv, signal}: Pick<DownloadOptions, 'proxyEnv' | 'signal'>,
): Promise<number | null> => {
	try {
		const {headers} = await clientFor(url, proxyEnv).head(url, {signal, timeout: {request: HEAD_MS}});
		const size = Number(headers['content-length'] ?? Number.NaN);
		return Number.isSafeInteger(size) && size >= 0 ? size : null;
	} catch {
		return null;
	}
};

/** Maximum size of an index page in bytes. The largest pages of public indexes have a few MB. */
const MAX_PAGE = 50_000_000;
const PAGE_MS = 60_000;

/**
 * Page of a package in a package index. Null if the index has no such package.
 * @throws {StartError} with the reason as a sentence.
 */
export const fetchPage = async (
	url: URL,
	accept: string,
	{proxyEnv, signal}: Pick<DownloadOptions, 'proxyEnv' | 'signal'>,
): Promise<string | null> => {
	const client = clientFor(url, proxyEnv).extend({
		headers: {accept},
		decompress: true,
		timeout: {request: PAGE_MS},
	});
	for (;;) {
		try {
			const tooLarge = new AbortController();
			const page = client.get(url, {signal: AbortSignal.any([signal, tooLarge.signal])});
			void page.on('downloadProgress', ({transferred}) => {
				if (transferred > MAX_PAGE) tooLarge.abort();
			});
			return (await page).body;
		} catch (error) {
			if (error instanceof HTTPError && [404, 410].includes(error.response.statusCode)) return null;
			const code = codeOf(error);
			if (isUntrusted(code) && trustSystem()) continue;
			const reason =
				error instanceof HTTPError ? `HTTP ${error.response.statusCode}` : code || messageOf(error);
			throw new StartError(
				isUntrusted(code)
					? `The certificate of the package index ${url.host} is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to the file of its CA certificate, or of your proxy's.`
					: `The package index ${url.host} does not respond (${reason}). Set PIP_INDEX_URL to another index.`,
				{cause: error},
			);
		}
	}
};

const fileIn = ({pathname}: URL): string => pathname.replace(/\/$/, '').split('/').at(-1) ?? '';

/** Sentence for the user about the reason of a failed download. */
const failureText = (error: unknown, {url, target, isIndexed}: DownloadOptions): string => {
	const file = fileIn(url);
	const setting = isIndexed === true ? 'PIP_INDEX_URL to another index' : 'SVC_PYODIDE_URL to another mirror';
	if (error instanceof HTTPError)
		return `${url.host} has no ${file} (HTTP ${error.response.statusCode}). Set ${setting}.`;
	const disk = diskReason(error, {elsewhere: 'use another data folder', file: target});
	if (disk !== null && ('path' in (error as object) || ONLY_OF_DISKS.has(codeOf(error))))
		return `${file} could not be stored: ${disk}.`;
	const code = codeOf(error);
	return isUntrusted(code)
		? `The certificate of ${url.host} is not trusted (${code}), so ${file} was not downloaded. Set NODE_EXTRA_CA_CERTS to the file of its CA certificate, or of your proxy's.`
		: `${file} is not on this machine and could not be downloaded from ${url.host} (${code || messageOf(error)}). Connect to the network and start again, or set ${setting}.`;
};

const fetchOnce = async ({
	url,
	target,
	sha256,
	proxyEnv,
	signal,
	onBytes,
	isIndexed,
}: DownloadOptions): Promise<void> => {
	const draft = `${target}.${process.pid}.tmp`;
	const hash = createHash('sha256');
	let received = 0;
	try {
		const stream = clientFor(url, proxyEnv).stream(url, {signal});
		let total: number | null = null;
		stream.on('response', ({headers}: http.IncomingMessage) => {
			const size = Number(headers['content-length'] ?? Number.NaN);
			total = Number.isSafeInteger(size) ? size : null;
		});
		const checked = new Transform({
			transform(chunk: Buffer, _, done) {
				received += chunk.length;
				hash.update(chunk);
				onBytes?.(received, total);
				done(
					received > MAX_BYTES ? new StartError(`${fileIn(url)} from ${url.host} is too large.`) : null,
					chunk,
				);
			},
		});
		await pipeline(stream, checked, createWriteStream(draft, {flags: 'w', mode: 0o600}), {signal});
		const found = hash.digest('hex');
		if (found !== sha256)
			throw new StartError(
				`${fileIn(url)} from ${url.host} is not the file that the ${isIndexed === true ? 'index' : 'lock file'} names: its SHA-256 is ${found}, not ${sha256}. It was deleted.`,
			);
		// Flushed before the rename. Otherwise a power failure could leave an empty file under the
		// final name.
		await using handle = await open(draft, 'r');
		await handle.sync();
		await rename(draft, target);
	} catch (error) {
		await rm(draft, {force: true});
		throw error;
	}
};

const isCut = (error: unknown): boolean =>
	!(error instanceof StartError) &&
	!(error instanceof HTTPError) &&
	['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ETIMEDOUT'].includes(codeOf(error));

/**
 * Downloads a file through the user's proxy and verifies its hash. Retries a download that was cut
 * off.
 * @throws {StartError} with the reason as a sentence.
 */
export const downloadFile = async (options: DownloadOptions): Promise<void> => {
	let trusted = false;
	for (let attempt = 1; ; attempt++) {
		try {
			return await fetchOnce(options);
		} catch (error) {
			if (error instanceof StartError || options.signal.aborted) throw error;
			if (isCut(error) && attempt < ATTEMPTS) continue;
			if (isUntrusted(codeOf(error)) && !trusted) {
				trusted = true;
				if (trustSystem()) continue;
			}
			throw new StartError(failureText(error, options), {cause: error});
		}
	}
};
