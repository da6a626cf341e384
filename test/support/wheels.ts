import {createHash} from 'node:crypto';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {crc32} from 'node:zlib';

/** A zip archive of uncompressed files, by their paths. */
const zip = (files: Readonly<Record<string, string>>): Buffer => {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [path, text] of Object.entries(files)) {
		const name = Buffer.from(path);
		const data = Buffer.from(text);
		const common = Buffer.alloc(26);
		common.writeUInt16LE(20, 0);
		common.writeUInt32LE(crc32(data), 10);
		common.writeUInt32LE(data.length, 14);
		common.writeUInt32LE(data.length, 18);
		common.writeUInt16LE(name.length, 22);
		const tail = Buffer.alloc(14);
		tail.writeUInt32LE(offset, 10);
		directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, name);
		const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, data]);
		parts.push(local);
		offset += local.length;
	}
	const entries = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 0, 'latin1');
	end.writeUInt16LE(Object.keys(files).length, 8);
	end.writeUInt16LE(Object.keys(files).length, 10);
	end.writeUInt32LE(entries.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...parts, entries, end]);
};

export type Wheel = {
	readonly name: string;
	readonly version: string;
	readonly file: string;
	readonly depends: readonly string[];
	readonly bytes: Buffer;
};

/**
 * A wheel with one module that has the name of the package. The wheel is pure Python unless another
 * tag is given.
 */
export const wheel = (
	name: string,
	source: string,
	depends: readonly string[] = [],
	{version = '1.0', tag = 'py3-none-any'}: {readonly version?: string; readonly tag?: string} = {},
): Wheel => {
	const info = `${name}-${version}.dist-info`;
	return {
		...{name, version, depends},
		file: `${name}-${version}-${tag}.whl`,
		bytes: zip({
			[`${name}.py`]: source,
			[`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${depends.map(each => `Requires-Dist: ${each}\n`).join('')}`,
			[`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
			[`${info}/RECORD`]: '',
		}),
	};
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Lock file of Pyodide that contains only these packages. */
export const lockOf = (wheels: readonly Wheel[]): object => ({
	info: {
		abi_version: '2026_0',
		arch: 'wasm32',
		platform: 'emscripten_5_0_3',
		python: '3.14.2',
		version: '314.0.7',
	},
	packages: Object.fromEntries(
		wheels.map(({name, version, file, depends, bytes}) => [
			name,
			{
				...{name, version, depends, file_name: file, sha256: sha256(bytes)},
				...{imports: [name], install_dir: 'site', package_type: 'package', unvendored_tests: false},
			},
		]),
	),
});

export type Mirror = AsyncDisposable & {
	readonly url: URL;
	readonly lockFile: string;
	/** Paths of all requests except HEAD. */
	readonly asked: string[];
	/**
	 * Handles the next requests for content instead of the mirror. Null restores the normal
	 * responses.
	 */
	answerWith(answer: ((request: IncomingMessage, response: ServerResponse) => void) | null): void;
};

/**
 * Starts a mirror of Pyodide's distribution on loopback, and writes its lock file to the folder.
 */
export const openMirror = async (wheels: readonly Wheel[], folder: string): Promise<Mirror> => {
	const lockFile = join(folder, 'pyodide-lock.json');
	writeFileSync(lockFile, JSON.stringify(lockOf(wheels)));
	const asked: string[] = [];
	let instead: Parameters<Mirror['answerWith']>[0] = null;
	const server: Server = createServer((request, response) => {
		const path = request.url ?? '';
		if (request.method !== 'HEAD') asked.push(path);
		if (instead && request.method !== 'HEAD') return instead(request, response);
		const found = wheels.find(({file}) => path === `/full/${file}`);
		if (!found) return response.writeHead(404).end();
		response.writeHead(200, {'content-length': found.bytes.length});
		return response.end(request.method === 'HEAD' ? undefined : found.bytes);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/full/`),
		lockFile,
		asked,
		answerWith(answer) {
			instead = answer;
		},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
};

export type PackageIndex = AsyncDisposable & {
	/** Value of PIP_INDEX_URL. */
	readonly url: string;
	/** Names of downloaded files. */
	readonly asked: string[];
	/** Handles the next downloads instead of the index. Null restores the normal responses. */
	answerWith(answer: ((request: IncomingMessage, response: ServerResponse) => void) | null): void;
};

export type IndexOptions = {
	/** True to send pages as JSON, as PEP 691 specifies. */
	readonly isJson?: boolean;
	/** Further fields of PEP 691 for a file. */
	readonly more?: (wheel: Wheel) => Readonly<Record<string, unknown>>;
};

/** Starts a package index on loopback, with pages as PEP 503 specifies. */
export const openIndex = async (
	wheels: readonly Wheel[],
	{isJson = false, more = () => ({})}: IndexOptions = {},
): Promise<PackageIndex> => {
	const asked: string[] = [];
	let instead: Parameters<PackageIndex['answerWith']>[0] = null;
	const server = createServer((request, response) => {
		const [, kind, name = ''] = (request.url ?? '').split('/');
		const of = wheels.filter(each => each.name === name);
		if (kind === 'simple' && of.length > 0 && isJson)
			return response
				.writeHead(200, {'content-type': 'application/vnd.pypi.simple.v1+json'})
				.end(
					JSON.stringify({
						...{meta: {'api-version': '1.0'}, name},
						files: of.map(each => ({
							...{filename: each.file, url: `../../files/${each.file}`},
							...{hashes: {sha256: sha256(each.bytes)}, ...more(each)},
						})),
					}),
				);
		if (kind === 'simple' && of.length > 0)
			return response
				.writeHead(200, {'content-type': 'text/html'})
				.end(
					of
						.map(({file, bytes}) => `<a href="/files/${file}#sha256=${sha256(bytes)}">${file}</a>`)
						.join('\n'),
				);
		const found = wheels.find(({file}) => kind === 'files' && file === name);
		if (!found) return response.writeHead(404).end();
		asked.push(found.file);
		if (instead) return instead(request, response);
		return response.writeHead(200, {'content-type': 'application/zip'}).end(found.bytes);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`,
		asked,
		answerWith(answer) {
			instead = answer;
		},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
};
