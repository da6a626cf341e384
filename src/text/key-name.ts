// How the key of an action is called, for sentences wherever they are made. There is one keyboard, and its table belongs to the screens: they
// say here once what the keys are, rebound ones included (`nameKeys`). A letter written into a sentence would lie after that.

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

/** A key as a sentence names it: `Enter`, `Alt-Enter`, `^X m`. */
export const keyInWords = (name: string): string =>
	name
		.split(' ')
		.map(key => inWords(key).replace(/^Ctrl-(.)$/, (_, letter: string) => `^${letter.toUpperCase()}`))
		.join(' ');

/** The first key of an action (`scope.action` of the key table) as the table names it; empty when the user took all its keys away. */
export const keyNameOf = (entry: string): string => keysOf(entry)[0] ?? '';

/** The key of an action for a sentence: `${keyFor('servers.create')} creates one`. */
export const keyFor = (entry: string): string =>
	keyNameOf(entry) === '' ? `[${entry} has no key]` : keyInWords(keyNameOf(entry));

/** Whether a sentence may send the user to an action: a read-only profile has none that writes. */
export const isKeyAvailable = (entry: string): boolean => isRowOffered(entry);

/** All keys of an action for a sentence: `Alt-Enter or ^J`. */
export const keysFor = (entry: string): string =>
	keyNameOf(entry) === '' ? keyFor(entry) : keysOf(entry).map(keyInWords).join(' or ');
