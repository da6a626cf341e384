import type {Notebook} from '../../text/notebook/notebook.ts';
import {parameterNames, stringText, valueText, withParameters} from '../../text/notebook/parameters.ts';
import {label} from '../../text/safe.ts';
import {joinNames} from '../../text/join-names.ts';
import {nearestWord} from '../../query/nearest-word.ts';
import {usageError} from '../command-error.ts';

const NAME = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

/** Parses options of the form `NAME=VALUE`. Each value becomes Python code. */
const valuesOf = (option: string, given: readonly string[], asPython: (typed: string) => string) =>
	given.map((each): readonly [string, string] => {
		const at = each.indexOf('=');
		const name = each.slice(0, Math.max(0, at));
		if (!NAME.test(name))
			throw usageError(
				`${option} takes NAME=VALUE, where NAME is a Python name.`,
				`Example: ${option} epochs=3.`,
			);
		return [name, asPython(each.slice(at + 1))];
	});

type Given = {readonly parameter?: readonly string[]; readonly rawParameter?: readonly string[]};

/** Notebook with the values of -p and -r. @throws {CommandError} if a value cannot be set. */
export const applyParameters = (notebook: Notebook, {parameter = [], rawParameter = []}: Given): Notebook => {
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

/**
 * Warnings about names in -p and -r that the notebook does not use. Such a notebook runs with its
 * own values.
 */
export const unknownParameters = (
	notebook: Notebook,
	{parameter = [], rawParameter = []}: Given,
): readonly string[] => {
	const given = new Set([...parameter, ...rawParameter].map(each => each.slice(0, each.indexOf('='))));
	if (given.size === 0) return [];
	const {isDeclared, names} = parameterNames(notebook);
	return [...given]
		.filter(name => !names.includes(name))
		.map(name => {
			const near = names.find(each => each.toLowerCase() === name.toLowerCase()) ?? nearestWord(name, names);
			const what = isDeclared
				? `The notebook has no parameter ${label(name, 60)}`
				: `No cell of the notebook uses ${label(name, 60)}`;
			if (near !== undefined) return `${what}; did you mean ${label(near, 60)}?`;
			return isDeclared && names.length > 0
				? `${what}: its parameters are ${label(joinNames(names), 300)}.`
				: `${what}: the value is set, but may have no effect.`;
		});
};
