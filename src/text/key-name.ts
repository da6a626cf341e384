// Names of keys for use in sentences. The screens set the key table here once, including the user's
// own keys. A key name in a literal string would be wrong after a rebinding.

let keysOf: (entry: string) => readonly string[] = () => [];
let isRowOffered: (entry: string) => boolean = () => true;

export const setKeyNames = (
	find: (entry: string) => readonly string[],
	isOfferedNow: (entry: string) => boolean,
): void => {
	keysOf = find;
	isRowOffered = isOfferedNow;
};

const WORDS: Readonly<Record<string, string>> = {esc: 'Esc', pageup: 'PgUp', pagedown: 'PgDn'};

const inWords = (key: string): string =>
	WORDS[key] ??
	key
		.split('+')
		.map((part, index, parts) => {
			if (part.length < 2) return part;
			const isModifier = index < parts.length - 1;
			return `${part[0]?.toUpperCase()}${part.slice(1)}${isModifier ? '-' : ''}`;
		})
		.join('');

/** Joins the keys of a chord: `^X m`. Two letters are joined without a space: `dd`. */
export const chordText = (keys: readonly string[]): string =>
	keys.join(keys.every(key => [...key].length === 1) ? '' : ' ');

/** Key as it is written in sentences: `Enter`, `Alt-Enter`, `^X m`. */
export const keyText = (name: string): string =>
	chordText(
		name
			.split(' ')
			.map(key => inWords(key).replace(/^Ctrl-(.)$/, (_, letter: string) => `^${letter.toUpperCase()}`)),
	);

/** First key of an action (`scope.action`) in the key table. Empty if the action has no key. */
export const keyNameOf = (entry: string): string => keysOf(entry)[0] ?? '';

/**
 * First key of an action as text, for use in a sentence: `${keyFor('servers.create')} creates one`.
 */
export const keyFor = (entry: string): string =>
	keyNameOf(entry) === '' ? `[${entry} has no key]` : keyText(keyNameOf(entry));

/** True if a sentence may suggest the action. False for writing actions in a read-only profile. */
export const isKeyAvailable = (entry: string): boolean => isRowOffered(entry);

/** All keys of an action as text, for use in a sentence: `Alt-Enter or ^J`. */
export const keysFor = (entry: string): string =>
	keyNameOf(entry) === '' ? keyFor(entry) : keysOf(entry).map(keyText).join(' or ');
