import {digestOf, type ExpectedContent, type Upload} from '../../engines/files.ts';
import {ServiceFault} from './fault.ts';

export const tagOf = (digest: string): string => `"${digest}"`;

/** Strong ETag of a file: the SHA-256 of its bytes. Undefined for entries without content. */
export const etagOf = ({
	content,
	format,
}: {
	readonly content?: unknown;
	readonly format?: string | null | undefined;
}): string | undefined =>
	typeof content === 'string'
		? tagOf(digestOf(Buffer.from(content, format === 'base64' ? 'base64' : 'utf8')))
		: undefined;

/** ETag that a file will have when the upload is saved. Undefined for a folder. */
export const etagOfUpload = ({decoded, ...upload}: Upload): string | undefined => {
	if (upload.type === 'directory') return undefined;
	return decoded ? tagOf(decoded.digest) : etagOf(upload);
};

/** Tags in an `If-None-Match` header, without `W/`, which the comparison ignores. */
export const tagsIn = (header: string): readonly string[] => header.match(/"[^"]*"/g) ?? [];

const entityTags = /^(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*$/;

/**
 * Digests in an `If-Match` header. Undefined without a header. A weak tag (`W/`) never matches.
 * @throws {ServiceFault} 400 if the header is malformed.
 */
export const expectedContent = (ifMatch: string | undefined): ExpectedContent | undefined => {
	const text = ifMatch?.trim();
	if (text === undefined || text === '*') return text;
	if (!entityTags.test(text))
		throw new ServiceFault(400, 'The header If-Match must be the ETag of a response, quotes included, or *.');
	return [...text.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, tag]) =>
		weak === undefined && tag !== undefined ? [tag] : [],
	);
};
