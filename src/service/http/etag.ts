import {digestOf, type ExpectedContent, type Upload} from '../../engines/files.ts';
import {ServiceFault} from './fault.ts';

export const tagOf = (digest: string): string => `"${digest}"`;

/** Strong ETag: the SHA-256 of the bytes. Undefined for entries without content. */
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

/** ETag of a file once the upload is stored. Undefined for a folder. */
export const etagOfUpload = ({decoded, ...upload}: Upload): string | undefined => {
	if (upload.type === 'directory') return undefined;
	return decoded ? tagOf(decoded.digest) : etagOf(upload);
};

/** Tags of an `If-None-Match` header, which are compared without regard to `W/`. */
export const tagsIn = (header: string): readonly string[] => header.match(/"[^"]*"/g) ?? [];

const entityTags = /^(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*$/;

/**
 * Digests that an `If-Match` header lists; undefined without one. A weak tag (`W/`) never matches.
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
