/** nbformat's multiline string: one string or, on disk, a list of its lines. Empty for anything else. */
export const joinMultiline = (value: unknown, between = ''): string =>
	Array.isArray(value)
		? value.map(part => joinMultiline(part)).join(between)
		: typeof value === 'string'
			? value
			: '';

/** A text as nbformat has it on disk: its lines, each with its end. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
