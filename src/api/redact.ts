import {maskSecrets} from '../text/token.ts';

/** Beginnings of the key shorter than this are not taken for a part of it. */
const PART = 6;
/** Shorter tokens would be found in every text. */
const SHORTEST_TOKEN = 8;
const MOST_TOKENS = 1000;

/** A key such as `ready` or `svc-medium` stands in many answers that do not mean it. */
const looksLikeWords = (key: string): boolean =>
	key.length < 6 ||
	(key.length < 16 && key.split(/[-_.]/).every(part => /^(?:[a-z]*\d?|[A-Z][a-z]*\d?|[A-Z]+)$/.test(part)));

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Removes the key from a text, and a beginning of the key from its end: the text may have been cut there. */
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
	/** A text of the service without the key, the tokens that were seen, and what its names call a secret. The text may have been cut. */
	redact(text: string): string;
	/** A text without the key and the tokens that were seen, and as it is otherwise. The text may have been cut. */
	keyless(text: string): string;
	/** Remembers the tokens in an answer, so that they are removed where nothing names them. */
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
