// JSON that JSON.stringify writes exactly as it was read: integers beyond 2^53, `1.0`, `1e400`,
// `-0`, and the order of keys that look like numbers. The parsed values are plain numbers. An
// object or list that JSON.stringify would change gets a hidden `toJSON`, which copies of the
// object do not have. It also gets a symbol property, which `{...object}` copies and
// `writtenNumbers` reads.
import {pastString} from './json-scan.ts';
import {isRecord} from './record.ts';

/** A text without a match survives JSON.parse and JSON.stringify unchanged. */
const SUSPECT = /\d{16}|\.\d*0(?!\d)|\d[eE][-+\d]|-0|"\d+"\s*:/;

// Missing in TypeScript's library; Node has these from version 21 on.
const {rawJSON, isRawJSON} = JSON as typeof JSON & {
	readonly rawJSON: (text: string) => unknown;
	readonly isRawJSON: (value: unknown) => boolean;
};
export {isRawJSON};

type Holder = Record<string, unknown>;

const isChanged = (number: string): boolean => String(Number(number)) !== number;

/** Source texts, by key, of the numbers that JavaScript would print differently. */
const WRITTEN = Symbol('numbers as they were written');
type Written = Readonly<Record<string, string>>;

/** Nesting depth beyond which source texts are ignored. */
const DEEPEST = 200;

let isAnyWritten = false;

const writtenIn = (value: object): Written | undefined => (value as {readonly [WRITTEN]?: Written})[WRITTEN];

const remember = (holder: object, numbers: Iterable<readonly [string | number, string]>): void => {
	const written = Object.fromEntries(numbers);
	if (Object.keys(written).length === 0) return void Reflect.deleteProperty(holder, WRITTEN);
	isAnyWritten = true;
	Object.assign(holder, {[WRITTEN]: written});
};

const hide = (holder: object, toJSON: (() => unknown) | null): void => {
	// An enumerable `toJSON` is a field of the data and must stay.
	if (Object.prototype.propertyIsEnumerable.call(holder, 'toJSON')) return;
	// Duplicate keys: each of their source texts is matched with the last value. Removes the
	// `toJSON` that an earlier source text has set.
	if (toJSON === null) Reflect.deleteProperty(holder, 'toJSON');
	else Object.defineProperty(holder, 'toJSON', {value: toJSON, configurable: true});
};

const markList = (
	list: readonly unknown[],
	numbers: readonly (readonly [index: number, number: string])[],
): void => {
	remember(list, numbers);
	hide(
		list,
		numbers.length === 0
			? null
			: () => {
					const copy = [...list];
					for (const [index, number] of numbers) copy[index] = rawJSON(number);
					return copy;
				},
	);
};

/** `order`: order of the keys in the source text. Null if the object's order is the same. */
const markObject = (
	fields: Holder,
	numbers: ReadonlyMap<string, string>,
	order: readonly string[] | null,
): void => {
	remember(fields, numbers);
	hide(
		fields,
		numbers.size === 0 && order === null
			? null
			: () => {
					const copy = {...fields};
					for (const [name, number] of numbers) Object.defineProperty(copy, name, {value: rawJSON(number)});
					return order === null ? copy : new Proxy(copy, {ownKeys: () => [...order]});
				},
	);
};

/** Offset after the number, `true`, `false` or `null` that starts at `from`. */
const pastPlain = (text: string, from: number): number => {
	let at = from;
	for (; at < text.length; at++) {
		const code = text.charCodeAt(at);
		// Comma, `]`, `}`, and white space.
		if (code === 0x2c || code === 0x5d || code === 0x7d || code <= 0x20) break;
	}
	return at;
};

/** Walks through a JSON text and the value that JSON.parse returned for it in parallel. */
const createWalk = (text: string) => {
	let at = 0;
	const skipSpace = (): void => {
		while (text.charCodeAt(at) <= 0x20) at++;
	};
	const skipComma = (): void => {
		skipSpace();
		if (text[at] === ',') at++;
		skipSpace();
	};
	/**
	 * Skips the value at this position. Returns the source text of a number that JavaScript would
	 * print differently, else null.
	 */
	const value = (parsed: unknown): string | null => {
		const first = text[at];
		if (first === '{') object(parsed);
		else if (first === '[') list(parsed);
		else if (first === '"') at = pastString(text, at);
		else {
			const from = at;
			at = pastPlain(text, from);
			if (typeof parsed !== 'number') return null;
			const number = text.slice(from, at);
			return isChanged(number) && Object.is(Number(number), parsed) ? number : null;
		}
		return null;
	};
	const list = (parsed: unknown): void => {
		const items: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
		const numbers: (readonly [number, string])[] = [];
		at++;
		skipSpace();
		for (let index = 0; text[at] !== ']'; index++) {
			const number = value(items[index]);
			if (number !== null) numbers.push([index, number]);
			skipComma();
		}
		at++;
		markList(items, numbers);
	};
	const object = (parsed: unknown): void => {
		const fields = (isRecord(parsed) ? parsed : {}) as Holder;
		const numbers = new Map<string, string>();
		const names = new Set<string>();
		at++;
		skipSpace();
		while (text[at] !== '}') {
			const from = at;
			at = pastString(text, from);
			const name = JSON.parse(text.slice(from, at)) as string;
			// JSON.parse returns the last value of duplicate keys, at the position of the first.
			names.add(name);
			numbers.delete(name);
			skipSpace();
			at++;
			skipSpace();
			const number = value(Object.hasOwn(fields, name) ? fields[name] : undefined);
			if (number !== null) numbers.set(name, number);
			skipComma();
		}
		at++;
		const order = [...names];
		const keys = Object.keys(fields);
		const isMoved = keys.length === order.length && keys.some((name, index) => name !== order[index]);
		markObject(fields, numbers, isMoved ? order : null);
	};
	return (parsed: unknown): void => {
		skipSpace();
		value(parsed);
	};
};

/**
 * Like JSON.parse, but JSON.stringify writes the result exactly as it was read.
 * @throws {SyntaxError} if the text is not JSON.
 */
export const parseExact = (text: string): unknown => {
	const parsed: unknown = JSON.parse(text);
	if (typeof parsed !== 'object' || parsed === null || !SUSPECT.test(text)) return parsed;
	try {
		createWalk(text)(parsed);
	} catch (error) {
		// JSON.parse accepts nesting that overflows the stack here. The numbers are then printed as
		// JavaScript prints them.
		if (!(error instanceof RangeError)) throw error;
	}
	return parsed;
};

/** Same as `parseExact`, but returns undefined if the text is not JSON. */
export const exactIn = (text: string): unknown => {
	try {
		return parseExact(text);
	} catch {
		return undefined;
	}
};

/**
 * Returns the value that JSON.stringify would write, for callers that read its fields one by one.
 */
export const asWritten = (value: unknown): unknown =>
	typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
		? (value.toJSON() as unknown)
		: value;

type Replacer = (this: object, key: string, value: unknown) => unknown;

/**
 * Same as `parseExact`, but a number that is the whole text keeps its source text too. The result
 * can only be printed.
 * @throws {SyntaxError} if the text is not JSON.
 */
export const parseToPrint = (text: string): unknown => {
	const value = parseExact(text);
	return typeof value === 'number' ? rawJSON(text.trim()) : value;
};

/**
 * Copies the source texts of numbers from `original` to `made`, which has the same fields. Returns
 * `made`.
 */
export const keepWritten = <T>(made: T, original: unknown, depth = 0): T => {
	if (!isAnyWritten || depth > DEEPEST || made === original) return made;
	if (!(isRecord(made) || Array.isArray(made)) || !(isRecord(original) || Array.isArray(original)))
		return made;
	const fields = made as Readonly<Record<string, unknown>>;
	// Lenient schemas turn unusable numbers into null. Such a field gets the source text of its
	// number.
	const written = Object.entries(writtenIn(original) ?? {}).filter(
		([key, source]) => fields[key] === null || Object.is(fields[key], Number(source)),
	);
	if (written.length > 0) remember(made, written);
	for (const [key, value] of Object.entries(original))
		// The check prevents a `__proto__` field in the data from reaching Object.prototype.
		if (Object.hasOwn(fields, key)) keepWritten(fields[key], value, depth + 1);
	return made;
};

/**
 * Merges the fields of two objects. The second object takes precedence. Numbers keep their source
 * texts.
 */
export const joined = (first: object, second: object): Readonly<Record<string, unknown>> => {
	const made = {...first, ...second};
	remember(made, [
		...Object.entries(writtenIn(first) ?? {}).filter(([key]) => !Object.hasOwn(second, key)),
		...Object.entries(writtenIn(second) ?? {}),
	]);
	return made;
};

/**
 * Replacer for JSON.stringify that writes numbers exactly as they were read. Undefined if there are
 * no such numbers, because a replacer is slow.
 */
export const writtenNumbers = (): Replacer | undefined =>
	isAnyWritten
		? function (key, value) {
				const source = typeof value === 'number' || value === null ? writtenIn(this)?.[key] : undefined;
				return source !== undefined && (value === null || Object.is(value, Number(source)))
					? rawJSON(source)
					: value;
			}
		: undefined;
