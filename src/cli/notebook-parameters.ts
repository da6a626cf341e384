import type {Notebook} from '../text/notebook/notebook.ts';
import {stringText, valueText, withParameters} from '../text/notebook/parameters.ts';
import {label} from '../text/safe.ts';
import {usageError} from './command-error.ts';

const NAME = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

/** `NAME=VALUE`s with each value as Python. */
const valuesOf = (option: string, given: readonly string[], asPython: (typed: string) => string) =>
	given.map((each): readonly [string, string] => {
		const at = each.indexOf('=');
		const name = each.slice(0, Math.max(0, at));
		if (!NAME.test(name))
			throw usageError(`${option} takes NAME=VALUE, and NAME as in Python.`, `As in ${option} epochs=3.`);
		return [name, asPython(each.slice(at + 1))];
	});

/** The notebook with what -p and -r give it. @throws {CommandError} */
export const withGiven = (
	notebook: Notebook,
	{
		parameter = [],
		rawParameter = [],
	}: {readonly parameter?: readonly string[]; readonly rawParameter?: readonly string[]},
): Notebook => {
	const values = new Map([
		...valuesOf('-p', parameter, valueText),
		...valuesOf('-r', rawParameter, stringText),
	]);
	if (values.size === 0) return notebook;
	const {language} = notebook;
	if (language !== null && !/^i?python/i.test(language))
		throw usageError(
			`Parameters are written as Python, and this notebook is written in ${label(language, 40)}.`,
			'Leave out -p and -r.',
		);
	return withParameters(notebook, values);
};
