import {maskSecrets} from '../text/token.ts';

/** Shortest prefix of the API key that is redacted. */
const PART = 6;
/** Shortest token that is redacted. Shorter ones would match ordinary text. */
const SHORTEST_TOKEN = 8;
const MOST_TOKENS = 1000;

/** True for a key such as `ready` or `svc-medium`, which also appears as an ordinary word. */
const looksLikeWords = (key: string): boolean =>
	key.length < 6 ||
	(key.length < 16 && key.split(/[-_.]/).every(part => /^(?:[a-z]*\d?|[A-Z][a-z]*\d?|[A-Z]+)$/.test(part)));

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * Returns a function that redacts the key. It also redacts a part of the key at the end of a text,
 * because the text may have been cut off there.
 */
const withoutKey = (key: string): ((text: string) => string) => {
	if (looksLikeWords(key)) {
		const named = new RegExp(
			`(\\bkey["']?(?:\\s+is)?(?:\\s*[:=])?\\s*["'\`]?)${escaped(key)}(?![\\w-])`,
			'gi',
		);
		return text => text.replaceAll(named, '$1[API key]');
	}
	const forms = [
		...new Set([
			key,
			JSON.stringify(key).slice(1, -1),
			encodeURIComponent(key),
			key.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
		]),
	];
	const partAtEnd = (text: string, form: string): string => {
		for (let length = form.length - 1; length >= PART; length--) {
			if (text.endsWith(form.slice(0, length))) return `${text.slice(0, -length)}[API key]`;
		}
		return text;
	};
	return text => forms.reduce((rest, form) => partAtEnd(rest.replaceAll(form, '[API key]'), form), text);
};

export type Redactor = {
	/**
	 * Redacts the key, known tokens, and values whose names mark them as secret. The text may have
	 * been cut off.
	 */
	redact(text: string): string;
	/** Redacts only the key and known tokens. The text may have been cut off. */
	keyless(text: string): string;
	/**
	 * Remembers the tokens in a response, so that they are redacted even where no name marks them.
	 */
	learn(item: unknown): void;
};

export const createRedactor = (apiKey: string | null): Redactor => {
	const tokens = new Set<string>();
	const masked = apiKey === null ? (text: string) => text : withoutKey(apiKey);
	const keyless = (text: string): string =>
		[...tokens].reduce((rest, token) => rest.replaceAll(token, '…'), masked(text));
	const add = (token: unknown): void => {
		if (
			typeof token === 'string' &&
			token.length >= SHORTEST_TOKEN &&
			!looksLikeWords(token) &&
			tokens.size < MOST_TOKENS
		)
			tokens.add(token);
	};
	return {
		redact: text => maskSecrets(keyless(text)),
		keyless,
		learn(item) {
			if (typeof item !== 'object' || item === null) return;
			for (const [name, value] of Object.entries(item)) {
				if (typeof value !== 'string') continue;
				if (name === 'token') add(value);
				for (const [, token = ''] of value.matchAll(/[?&]token=([^&#\s]+)/gi)) add(token);
			}
		},
	};
};
