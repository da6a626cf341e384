// Describes the pictures, frames, videos and sounds of an HTML page as text.

/**
 * Elements that show external content. The text inside them is only for browsers that cannot show
 * it.
 */
const MEDIA: ReadonlyMap<string, string> = new Map([
	['img', 'picture'],
	['iframe', 'page'],
	['video', 'video'],
	['audio', 'sound'],
	['embed', 'document'],
	['object', 'document'],
]);
const LONGEST_ADDRESS = 200;

export const isMedia = (tag: string): boolean => MEDIA.has(tag);

const ATTRIBUTES = {
	src: /(?<![\w-])src\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i,
	data: /(?<![\w-])data\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i,
	href: /(?<![\w-])href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i,
	alt: /(?<![\w-])alt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i,
} as const;

const attributeIn = (tag: string, which: keyof typeof ATTRIBUTES): string => {
	const [, double, single, bare] = ATTRIBUTES[which].exec(tag) ?? [];
	return (double ?? single ?? bare ?? '').replaceAll(/\s+/g, ' ').trim();
};

/** Address as shown to the user. A data URL is reduced to its type. Entities are not decoded. */
const shownAddress = (address: string): string => {
	const text = /^data:/i.test(address) ? (/^[^;,]*/.exec(address)?.[0] ?? '') : address;
	return text.length > LONGEST_ADDRESS ? `${text.slice(0, LONGEST_ADDRESS)}…` : text;
};

/**
 * Text for an element of `MEDIA`: kind, description and address. `source` may include child
 * elements.
 */
export const mediaText = (tag: string, source: string, hasAddress: boolean): string => {
	const what = MEDIA.get(tag) ?? '';
	const alt = attributeIn(source, 'alt');
	const address = hasAddress ? shownAddress(attributeIn(source, tag === 'object' ? 'data' : 'src')) : '';
	return `[${[alt === '' ? what : `${what}: ${alt}`, address].filter(Boolean).join(' ')}]`;
};

/** Address of a link. Empty for a link within the page and for a script. */
export const linkAddress = (tag: string): string => {
	const address = attributeIn(tag, 'href');
	return /^(?:#|javascript:)/i.test(address) ? '' : shownAddress(address.replace(/^mailto:/i, ''));
};
