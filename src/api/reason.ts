// Finds the reason in the body of an error. The specification does not define its form.
import {decodeEntities} from '../text/output/entities.ts';
import {readHtml} from '../text/output/html-text.ts';
import {isRecord} from '../text/record.ts';

const LONGEST = 300;
const LONGEST_PAGE = 160;
const MOST_READ = 64 << 10;
const DEEPEST = 16;
const MOST = 3;

/** Names of fields that may contain the reason, from general to specific. */
const WORDS = `
	title error errorType faultstring message Message msg error_message errorMessage error_description
	status_message statusText description reason cause detail details info problem explanation hint
	fault exception data response result body failure non_field_errors violations issues causes errors
	warnings
`
	.trim()
	.split(/\s+/);
const CODES = ['code', 'error_code', 'errorCode'];
/** Values of `status` that repeat the HTTP status. Any other value may be the reason. */
const BARE_STATUS =
	/^(\d*|success|ok|true|false|err|error|exception|fail|failed|failure|unsuccessful|nok|ko|null)[.!]?$/i;
/** Fields of an entry in a list of errors that contain the location of the error. */
const PLACES = 'loc field param path property pointer instancePath attribute source'.split(' ');
/** Fields that never contain a reason. */
const NOISE =
	/^(status|statusCode|success|ok|timestamp|time|date|path|instance|url|uri|traceback|stack|trace|request_?id|trace_?id|input|ctx|loc|help|documentation_url|__\w+)$/i;

type Fields = Readonly<Record<string, unknown>>;

const jsonOf = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

const tidy = (text: string, longest = LONGEST): string => {
	const line = text.replaceAll(/\s+/g, ' ').trim();
	return line.length > longest
		? `${line
				.slice(0, longest - 1)
				.toWellFormed()
				.replace(/\ufffd$/, '')}…`
		: line;
};

/** Joins the texts, without duplicates and texts that another one contains. */
const joined = (parts: readonly string[], between: string): string => {
	const distinct = parts.filter(
		(part, at) =>
			part !== '' &&
			!parts.some(
				(other, index) =>
					(other.length > part.length || (other.length === part.length && index < at)) &&
					other.toLowerCase().includes(part.toLowerCase()),
			),
	);
	return distinct.reduce(
		(whole, part) => (whole === '' ? part : `${whole.replace(/[.:]$/, '')}${between}${part}`),
		'',
	);
};

const placeOf = (item: Fields): string => {
	for (const name of PLACES) {
		const place = item[name];
		if (typeof place === 'string') return place;
		// `body` only means the request body, so it is left out.
		if (Array.isArray(place))
			return place
				.filter(
					(step, at) =>
						(typeof step === 'string' || typeof step === 'number') && !(at === 0 && step === 'body'),
				)
				.join('.');
		if (isRecord(place) && typeof place['pointer'] === 'string') return place['pointer'];
	}
	return '';
};

const named = (name: string, words: string): string =>
	name === '' || words === '' || words.startsWith(`${name}:`) ? words : `${name}: ${words}`;

const inList = (items: readonly unknown[], depth: number): string => {
	const found = items
		.map(item => (isRecord(item) ? named(placeOf(item), inValue(item, depth)) : inValue(item, depth)))
		.filter(words => words !== '');
	const first = joined(found.slice(0, MOST), '; ');
	return found.length > MOST ? `${first} (and ${found.length - MOST} more)` : first;
};

const withCode = (words: string, code: unknown): string =>
	typeof code !== 'string' || code === '' || words.includes(code)
		? words
		: words === ''
			? tidy(code)
			: `${words} (${tidy(code)})`;

const inFields = (fields: Fields, depth: number): string => {
	const status = inValue(fields['status'] ?? fields['Status'] ?? fields['STATUS'], depth);
	const told = BARE_STATUS.test(status) ? '' : status;
	// A single word is a code such as `quota_exceeded`. Several words are a sentence.
	const [sentence, word] = told.includes(' ') ? [told, ''] : ['', told];
	const words = joined([sentence, ...WORDS.map(name => inValue(fields[name], depth))], ': ');
	const code = CODES.map(name => fields[name]).find(value => typeof value === 'string' && value !== '');
	if (words !== '') return withCode(words, code ?? word);
	// The object maps fields to their errors, or its structure is unknown.
	const others = inList(
		Object.entries(fields)
			.filter(([name]) => !NOISE.test(name))
			.map(([name, value]) => named(name, inValue(value, depth))),
		depth,
	);
	return withCode(others, word);
};

const inValue = (value: unknown, depth: number): string => {
	if (typeof value === 'string') return inText(value, depth);
	if (depth >= DEEPEST) return '';
	if (Array.isArray(value)) return inList(value, depth + 1);
	return isRecord(value) ? inFields(value, depth + 1) : '';
};

const inPage = (page: string): string => {
	const [, title = ''] = /<title[^<>]*>([^<]*)/i.exec(page) ?? [];
	const parts = readHtml(page, {media: false}).flatMap(part =>
		// Removes `---`, which `readHtml` writes for `<hr>`.
		part.kind === 'text'
			? [part.text.replaceAll(/^---$/gm, '')]
			: part.rows.map(row => row.map(cell => cell.text).join(' ')),
	);
	return tidy(joined([tidy(decodeEntities(title)), tidy(parts.join(' '))], ': '), LONGEST_PAGE);
};

const inMarkup = (text: string): string =>
	tidy(decodeEntities(text.replaceAll(/<!\[CDATA\[|\]\]>/g, '').replaceAll(/<[^>]*>?/g, ' ')));

const inText = (text: string, depth: number): string => {
	const start = text.slice(0, MOST_READ).trimStart();
	if (depth < DEEPEST && /^(?:[{["]|(?:null|true|false)\s*$)/.test(start)) {
		const json = jsonOf(start);
		if (json !== undefined) return inValue(json, depth + 1);
	}
	if (/^<(!doctype html|\/?(html|head|title|body|h\d|p|div|center|pre|br)\b)/i.test(start))
		return inPage(start);
	if (/^<[!?a-z]/i.test(start)) return inMarkup(start);
	// The last line of a Python traceback is the reason.
	if (start.startsWith('Traceback (most recent call last)'))
		return tidy(start.trimEnd().split('\n').at(-1) ?? '');
	return tidy(start);
};

// False for binary data, which may contain letters by chance.
const isText = (text: string): boolean => {
	const strange = text.match(/[\0-\u0008\u000e-\u001f\u007f\ufffd]/g)?.length ?? 0;
	return strange * 10 <= text.length;
};

/**
 * Reason in the body of an error: one unescaped line of at most 300 characters, or empty. Never
 * throws.
 */
export const reasonOf = (body: string): string =>
	isText(body) ? tidy(inText(body.slice(0, MOST_READ).replace(/^\ufeff/, ''), 0)) : '';

/** Reason in parsed JSON. */
export const reasonIn = (value: unknown): string => tidy(inValue(value, 0));
