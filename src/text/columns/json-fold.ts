type Emit = (depth: number, key: string | null, text: string) => void;

const isOpen = (value: unknown): value is object => typeof value === 'object' && value !== null;

const countOf = (value: object): string => {
	const count = Array.isArray(value) ? value.length : Object.keys(value).length;
	return Array.isArray(value)
		? `[ ${count} item${count === 1 ? '' : 's'} ]`
		: `{ ${count} field${count === 1 ? '' : 's'} }`;
};

/** A value as indented lines; what lies deeper than `depth` stands as its size. Tells each line's depth, key and value. */
export const foldJson = (value: unknown, depth: number, emit: Emit): void => {
	const walk = (each: unknown, key: string | null, level: number, comma: string): void => {
		if (!isOpen(each) || Object.keys(each).length === 0)
			return emit(
				level,
				key,
				`${isOpen(each) ? (Array.isArray(each) ? '[]' : '{}') : JSON.stringify(each)}${comma}`,
			);
		if (level >= depth) return emit(level, key, `${countOf(each)}${comma}`);
		const entries = Object.entries(each);
		emit(level, key, Array.isArray(each) ? '[' : '{');
		for (const [index, [name, inner]] of entries.entries())
			walk(inner, Array.isArray(each) ? null : name, level + 1, index < entries.length - 1 ? ',' : '');
		emit(level, null, `${Array.isArray(each) ? ']' : '}'}${comma}`);
	};
	walk(value, null, 0, '');
};
