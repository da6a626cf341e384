// Parses a large body in a separate thread, because parsing, decoding and hashing 160 MiB takes a
// second.
import {parentPort} from 'node:worker_threads';
import {uploadRequest} from '../../contract/files.ts';
import {digestOf, FileFault} from '../../engines/files.ts';
import {decodeUpload} from '../../engines/folder-content.ts';
import {lowerPriority} from '../../machine/lower-priority.ts';
import {ServiceFault, type FaultStatus} from './fault.ts';
import {parseJsonBody} from './parse-body.ts';

export type BodyReply =
	| {
			readonly body: Readonly<Record<string, unknown>>;
			readonly decoded: {readonly bytes: Uint8Array<ArrayBuffer>; readonly digest: string} | undefined;
	  }
	| {readonly status: FaultStatus; readonly message: string};

const read = (parts: readonly Uint8Array[]): BodyReply => {
	try {
		const body = parseJsonBody(Buffer.concat(parts));
		const {data: upload} = uploadRequest.safeParse(body);
		if (typeof upload?.content !== 'string' || upload.type === 'directory') return {body, decoded: undefined};
		const content = decodeUpload(upload);
		// Copied into a separate buffer, which can be transferred to the main thread.
		const bytes = new Uint8Array(content);
		return {body: {...body, content: ''}, decoded: {bytes, digest: digestOf(content)}};
	} catch (error) {
		if (!(error instanceof ServiceFault || error instanceof FileFault)) throw error;
		return {status: error.status, message: error.message};
	}
};

lowerPriority();
let parts: Uint8Array[] = [];
parentPort?.on('message', (part: Uint8Array | null) => {
	if (part !== null) return void parts.push(part);
	const reply = read(parts);
	parts = [];
	const own = 'decoded' in reply && reply.decoded ? [reply.decoded.bytes.buffer] : [];
	parentPort?.postMessage(reply, own);
});
