/**
 * Text of a response body.
 * @throws {Error} if it is longer than `most` bytes, without reading the rest.
 */
export const textWithin = async (
	body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	most: number,
): Promise<string> => {
	const parts: Uint8Array[] = [];
	let size = 0;
	for await (const part of body) {
		size += part.length;
		if (size > most) throw new Error(`It responded with more than ${most >> 20} MiB.`);
		parts.push(part);
	}
	return new TextDecoder().decode(Buffer.concat(parts));
};
