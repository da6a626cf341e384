// Reads machine-written XML. Does not support comments, or elements nested in elements of the same
// name.
const ENTITIES: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'"};

/** Decodes entities. Also decodes `_x000D_`, Excel's form of control characters. */
export const decodeXml = (text: string): string => {
	const plain = text.includes('&')
		? text.replaceAll(/&(?:#(?<hex>x)?(?<code>[\da-fA-F]{1,6})|(?<name>\w{2,4}));/g, (all, ...rest) => {
				const {hex, code, name} = rest.at(-1) as Readonly<Record<string, string | undefined>>;
				if (name !== undefined) return ENTITIES[name] ?? all;
				const number = Number.parseInt(code ?? '', hex === undefined ? 10 : 16);
				return number > 0 && number <= 0x10_ff_ff ? String.fromCodePoint(number) : '\uFFFD';
			})
		: text;
	return plain.includes('_x')
		? plain.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
				String.fromCharCode(Number.parseInt(code, 16)),
			)
		: plain;
};

/** Regular expressions by name. Cached, because a sheet may have a million cells. */
const opening = new Map<string, RegExp>();
const attributePatterns = new Map<string, RegExp>();
const patternFor = (known: Map<string, RegExp>, name: string, source: () => string): RegExp => {
	const found = known.get(name) ?? new RegExp(source(), 'g');
	known.set(name, found);
	return found;
};

export type XmlElement = {
	/** Source text between the tags, including elements and entities. Empty for `<a/>`. */
	readonly inner: string;
	/** Value of an attribute, regardless of its prefix. Null if the attribute is missing. */
	attribute(name: string): string | null;
};

/**
 * Elements with a name, regardless of their prefix, in order. An element without an end tag is the
 * last.
 */
export function* elementsIn(text: string, name: string): Generator<XmlElement> {
	const open = patternFor(
		opening,
		name,
		() => `<(?<prefix>\\w+:)?${name}(?<attributes>(?:\\s[^<>]*?)?)(?<empty>/?)>`,
	);
	for (let at = 0; ;) {
		// The caller may search for elements of the same name between iterations.
		open.lastIndex = at;
		const found = open.exec(text);
		if (found === null) return;
		at = open.lastIndex;
		const {prefix = '', attributes = '', empty} = found.groups ?? {};
		let inner = '';
		if (empty !== '/') {
			const close = `</${prefix}${name}>`;
			const end = text.indexOf(close, at);
			inner = text.slice(at, end === -1 ? text.length : end);
			at = end === -1 ? text.length : end + close.length;
		}
		yield {
			inner,
			attribute(wanted) {
				const pattern = patternFor(
					attributePatterns,
					wanted,
					() => `(?:^|[\\s:])${wanted}\\s*=\\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')`,
				);
				pattern.lastIndex = 0;
				const value = pattern.exec(attributes)?.groups;
				return value === undefined ? null : decodeXml(value['double'] ?? value['single'] ?? '');
			},
		};
	}
}
