// Requirements as written for pip and in the metadata of packages, according to PEP 508.
import {normalName} from './lock.ts';
import {satisfies, specifiersIn, versionIn} from './python-version.ts';

export type Requirement = {
	/** Normalised package name. */
	readonly name: string;
	readonly extras: readonly string[];
	/** For example `>=1.2,<2`. Empty if there are none. */
	readonly specifiers: string;
	/** Condition after the semicolon (environment marker). Empty if there is none. */
	readonly marker: string;
	/** Source text of the requirement, without its condition. */
	readonly text: string;
};

const REQUIREMENT =
	/^(?<name>[A-Za-z\d](?:[\w.-]*[A-Za-z\d])?)\s*(?:\[(?<extras>[\w\s,.-]*)\])?\s*\(?(?<specifiers>[^;()@]*)\)?\s*(?:;(?<marker>.*))?$/s;

/** Parses a requirement. Null for URLs, paths and options. */
export const requirementIn = (text: string): Requirement | null => {
	const found = REQUIREMENT.exec(text.trim())?.groups;
	const specifiers = found && specifiersIn(found['specifiers'] ?? '');
	if (!found || specifiers === undefined || specifiers === null) return null;
	return {
		name: normalName(found['name'] ?? ''),
		extras: (found['extras'] ?? '')
			.split(',')
			.map(each => normalName(each.trim()))
			.filter(each => each !== ''),
		specifiers,
		marker: (found['marker'] ?? '').trim(),
		text: text.replace(/;.*/s, '').trim(),
	};
};

const TOKEN = /\s*(?:(\(|\))|("[^"]*"|'[^']*')|(not\s+in|[<>=!~]=?=?|[\w.]+))/y;

const tokensIn = (marker: string): readonly string[] => {
	const tokens: string[] = [];
	TOKEN.lastIndex = 0;
	while (TOKEN.lastIndex < marker.trimEnd().length) {
		const found = TOKEN.exec(marker);
		if (!found) throw new SyntaxError('not a marker');
		tokens.push(found[1] ?? found[2] ?? found[3] ?? '');
	}
	return tokens;
};

const compare = (one: string, operator: string, other: string): boolean => {
	if (operator === 'in') return other.includes(one);
	if (/^not\s/.test(operator)) return !other.includes(one);
	const version = versionIn(one);
	const against = specifiersIn(`${operator}${other}`);
	if (version !== null && against !== null) return satisfies(version, against);
	if (operator === '==') return one === other;
	if (operator === '!=') return one !== other;
	return false;
};

/**
 * True if a requirement's condition holds for this version of Python in WebAssembly. Also true if
 * the condition cannot be parsed, because an unnecessary package is better than a missing one.
 */
export const holds = (marker: string, python: string, extras: readonly string[]): boolean => {
	if (marker === '') return true;
	const variables: Readonly<Record<string, string>> = {
		python_version: python.split('.').slice(0, 2).join('.'),
		python_full_version: python,
		implementation_version: python,
		os_name: 'posix',
		sys_platform: 'emscripten',
		platform_system: 'Emscripten',
		platform_machine: 'wasm32',
		platform_python_implementation: 'CPython',
		implementation_name: 'cpython',
		platform_release: '',
		platform_version: '',
	};
	let at = 0;
	try {
		const tokens = tokensIn(marker);
		const valueAt = (): {readonly text: string; readonly isExtra: boolean} => {
			const token = tokens[at++] ?? '';
			if (/^["']/.test(token)) return {text: token.slice(1, -1), isExtra: false};
			if (token !== 'extra' && !(token in variables)) throw new SyntaxError(token);
			return {text: variables[token] ?? '', isExtra: token === 'extra'};
		};
		const comparison = (): boolean => {
			if (tokens[at] === '(') {
				at++;
				const inner = either();
				at++;
				return inner;
			}
			const one = valueAt();
			const operator = tokens[at++] ?? '';
			const other = valueAt();
			if (!one.isExtra && !other.isExtra) return compare(one.text, operator, other.text);
			const isWanted = extras.includes(normalName(one.isExtra ? other.text : one.text));
			return operator === '!=' ? !isWanted : isWanted;
		};
		const all = (): boolean => {
			let result = comparison();
			while (tokens[at] === 'and') {
				at++;
				const next = comparison();
				result &&= next;
			}
			return result;
		};
		const either = (): boolean => {
			let result = all();
			while (tokens[at] === 'or') {
				at++;
				const next = all();
				result ||= next;
			}
			return result;
		};
		return either();
	} catch {
		return true;
	}
};

/** True if a version of Python satisfies `Requires-Python`. If that is null, any version does. */
export const fitsPython = (python: string, required: string | null): boolean => {
	const version = versionIn(python);
	const specifiers = specifiersIn(required ?? '');
	return version === null || specifiers === null || satisfies(version, specifiers);
};
