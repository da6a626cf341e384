import {cutMiddle} from '../../text/cut-middle.ts';
import {keepWritten} from '../../text/exact-json.ts';
import {label} from '../../text/safe.ts';
import type {CommandError} from '../command-error.ts';
import {safeJson} from '../json.ts';
import type {CallToolResult, ContentBlock} from './sdk.ts';
import type {ToolAnswer} from './tool.ts';

/** Longest text of a result, in UTF-16 units. Clients cut off or reject longer texts. */
const MOST = 30_000;
/** Longest text inside a value, in UTF-16 units. */
const MOST_IN_VALUE = 2000;
const MOST_OF_ERROR = 600;

type Keyless = (text: string) => string;

/** Copy of a value with `change` applied to each text in it. */
const withTexts = (value: unknown, change: Keyless): unknown => {
	if (typeof value === 'string') return change(value);
	if (Array.isArray(value)) return value.map(each => withTexts(each, change));
	if (typeof value !== 'object' || value === null) return value;
	const changed = Object.fromEntries(
		Object.entries(value).map(([name, each]) => [name, withTexts(each, change)]),
	);
	return keepWritten(changed, value);
};

/**
 * Result for the client. The API key and tokens are removed before texts are shortened, so that no
 * part of them remains.
 */
export const resultOf = (
	{facts, text, pictures = [], value, isError = false}: ToolAnswer,
	notes: readonly string[],
	keyless: Keyless,
): CallToolResult => {
	const texts: string[] = [];
	if (facts !== undefined) texts.push(keyless(facts));
	for (const each of [text ?? []].flat()) if (each !== '') texts.push(cutMiddle(keyless(each), MOST));
	const structured = value && withTexts(value, each => cutMiddle(keyless(each), MOST_IN_VALUE));
	if (structured !== undefined) texts.push(safeJson(structured));
	if (notes.length > 0) texts.push(keyless(notes.join('\n')));
	const content: ContentBlock[] = [
		...texts.map(each => ({type: 'text' as const, text: each})),
		...pictures.map(({type, data}) => ({type: 'image' as const, mimeType: type, data})),
	];
	return {
		content,
		...(structured !== undefined && {structuredContent: structured as Record<string, unknown>}),
		...(isError && {isError}),
	};
};

/** Result for an error: the problem, then the remedy. */
export const errorResult = (
	{message, next}: Pick<CommandError, 'message' | 'next'>,
	notes: readonly string[],
	keyless: Keyless,
): CallToolResult => {
	const lines = [message, next, ...notes].filter(line => line !== '');
	const text = lines.map(line => label(keyless(line), MOST_OF_ERROR)).join('\n');
	return {content: [{type: 'text', text}], isError: true};
};
