/** Multiline string of nbformat: a string, or a list of lines in files. Empty for other values. */
export const joinMultiline = (value: unknown, between = ''): string =>
	Array.isArray(value)
		? value.map(part => joinMultiline(part)).join(between)
		: typeof value === 'string'
			? value
			: '';

/** Text as nbformat stores it in files: a list of lines, each with its line end. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
