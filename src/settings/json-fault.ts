// V8 tells no place for a strange character, and its words quote the text, which may hold a key.
const isBroken = (text: string): boolean => {
	try {
		JSON.parse(text);
		return false;
	} catch (error) {
		const message = (error as Error).message;
		const at = /at position (\d+)/.exec(message)?.[1];
		return at === undefined ? !message.startsWith('Unexpected end') : Number(at) < text.length;
	}
};

/** The line, from 1, in which a text stops being JSON. For a text that `JSON.parse` refused. */
export const jsonFaultLine = (text: string): number => {
	// A beginning that is broken stays so, however the text goes on.
	let [whole, broken] = [0, text.length];
	while (broken - whole > 1) {
		const middle = (whole + broken) >> 1;
		if (isBroken(text.slice(0, middle))) broken = middle;
		else whole = middle;
	}
	return text.slice(0, Math.max(0, broken - 1)).split('\n').length;
};
