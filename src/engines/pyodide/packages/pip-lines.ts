import {StartError} from '../../engine.ts';

const INSTALL = /^[ \t]*[%!]pip3?[ \t]+install[ \t]+(.+?)[ \t]*$/gm;
const NAME = /^[A-Za-z\d](?:[\w.-]*[A-Za-z\d])?$/;

/**
 * Names of packages that the lines `%pip install` and `!pip install` of a cell ask for.
 * @throws {StartError} for anything but plain names.
 */
export const packagesToInstall = (code: string): readonly string[] => {
	// Most cells have no such line.
	if (!code.includes('pip')) return [];
	const words = [...code.matchAll(INSTALL)].flatMap(([, list = '']) => list.split(/[ \t]+/));
	const names = words.filter(word => !/^-(?:q+|U|-quiet|-upgrade)$/.test(word));
	for (const name of names)
		if (!NAME.test(name))
			throw new StartError(
				`${JSON.stringify(name)} cannot be installed here: name packages of Pyodide's distribution, without versions and options.`,
			);
	return names;
};
