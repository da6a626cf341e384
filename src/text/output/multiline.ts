/** Multiline string of nbformat: a string or, on disk, a list of lines. Else empty. */
export const joinMultiline = (value: unknown, between = ''): string =>
	Array.isArray(value)
		? value.map(part => joinMultiline(part)).join(between)
		: typeof value === 'string'
			? value
			: '';

/** Text as nbformat stores it on disk: its lines, each with its end. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
