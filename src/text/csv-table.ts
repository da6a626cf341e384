/** The fields of one line of a CSV; a quoted field may hold the separator and doubled quotes, but no line end. */
export const fieldsOf = (line: string, separator: string): readonly string[] => {
	if (!line.includes('"')) return line.split(separator);
	const fields: string[] = [];
	let field = '';
	let quoted = false;
	for (let at = 0; at < line.length; at++) {
		const character = line.charAt(at);
		if (quoted && character === '"' && line.charAt(at + 1) === '"') {
			field += '"';
			at++;
		} else if (character === '"') quoted = !quoted && field === '' ? true : quoted ? false : quoted;
		else if (character === separator && !quoted) {
			fields.push(field);
			field = '';
		} else field += character;
	}
	return [...fields, field];
};

const SEPARATORS = [',', ';', '\t', '|'] as const;

/** The character that parts the fields: the one that most lines have, and equally often. */
export const separatorOf = (lines: readonly string[]): string => {
	const score = (separator: string): number => {
		const counts = lines.filter(line => line !== '').map(line => fieldsOf(line, separator).length);
		const [first = 1] = counts;
		return first < 2 ? 0 : counts.filter(count => count === first).length * first;
	};
	return SEPARATORS.reduce<string>((best, each) => (score(each) > score(best) ? each : best), ',');
};
