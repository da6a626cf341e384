// JSON that is written back as it came: integers beyond 2^53, `1.0`, `1e400`, `-0`, and keys that
// look like numbers in their order. Readers see plain numbers. An object or list that
// JSON.stringify would change gets a hidden `toJSON`, which lasts as long as the object is passed
// by reference. It also gets a symbol, which `{...object}` copies and `writtenNumbers` reads.
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

/** Source texts of the numbers that JavaScript would change, by key. */
const WRITTEN = Symbol('numbers as they were written');
type Written = Readonly<Record<string, string>>;

/** Depth beyond which values are printed as JavaScript prints them. */
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
	// An enumerable field `toJSON` is data and stays.
	if (Object.prototype.propertyIsEnumerable.call(holder, 'toJSON')) return;
	// Duplicate keys share one value: removes the mark that an earlier key's text has set.
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

/** `order`: order of the keys if it differs from that of the object, else null. */
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

/** Offset after a number, true, false or null. */
const pastPlain = (text: string, from: number): number => {
	let at = from;
	for (; at < text.length; at++) {
		const code = text.charCodeAt(at);
		// A comma, ] and } and space.
		if (code === 0x2c || code === 0x5d || code === 0x7d || code <= 0x20) break;
	}
	return at;
};

/** Walks a text in parallel with the value that JSON.parse made of it. */
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
	/** Source text of the number at this position if JavaScript would change it, else null. */
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
			// JSON.parse keeps the last of duplicate fields, at the position of the first.
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
 * Parses like JSON.parse, but JSON.stringify writes the result as it came.
 * @throws {SyntaxError} if the text is not JSON.
 */
export const parseExact = (text: string): unknown => {
	const parsed: unknown = JSON.parse(text);
	if (typeof parsed !== 'object' || parsed === null || !SUSPECT.test(text)) return parsed;
	try {
		createWalk(text)(parsed);
	} catch (error) {
		// JSON.parse accepts nesting beyond the stack. The numbers then stay JavaScript's.
		if (!(error instanceof RangeError)) throw error;
	}
	return parsed;
};

/** Same as `parseExact`, but undefined if the text is not JSON. */
export const exactIn = (text: string): unknown => {
	try {
		return parseExact(text);
	} catch {
		return undefined;
	}
};

/** The value as JSON.stringify would write it, for callers that read its fields one by one. */
export const asWritten = (value: unknown): unknown =>
	typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
		? (value.toJSON() as unknown)
		: value;

type Replacer = (this: object, key: string, value: unknown) => unknown;

/**
 * Same as `parseExact`, but a lone number keeps its source text too: for values that are only
 * printed.
 * @throws {SyntaxError} if the text is not JSON.
 */
export const parseToPrint = (text: string): unknown => {
	const value = parseExact(text);
	return typeof value === 'number' ? rawJSON(text.trim()) : value;
};

/** Copies source texts of numbers to a value with the same fields. Returns that value. */
export const keepWritten = <T>(made: T, original: unknown, depth = 0): T => {
	if (!isAnyWritten || depth > DEEPEST || made === original) return made;
	if (!(isRecord(made) || Array.isArray(made)) || !(isRecord(original) || Array.isArray(original)))
		return made;
	const fields = made as Readonly<Record<string, unknown>>;
	// Lenient schemas turn unusable numbers into null: these keep their source text.
	const written = Object.entries(writtenIn(original) ?? {}).filter(
		([key, source]) => fields[key] === null || Object.is(fields[key], Number(source)),
	);
	if (written.length > 0) remember(made, written);
	for (const [key, value] of Object.entries(original))
		// The check keeps a `__proto__` in the data away from Object.prototype.
		if (Object.hasOwn(fields, key)) keepWritten(fields[key], value, depth + 1);
	return made;
};

/** The fields of both; the second object wins. Numbers keep their source texts. */
export const joined = (first: object, second: object): Readonly<Record<string, unknown>> => {
	const made = {...first, ...second};
	remember(made, [
		...Object.entries(writtenIn(first) ?? {}).filter(([key]) => !Object.hasOwn(second, key)),
		...Object.entries(writtenIn(second) ?? {}),
	]);
	return made;
};

/**
 * Replacer for JSON.stringify that writes numbers as they came. Undefined if no such number is
 * known, because a replacer is slow.
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
