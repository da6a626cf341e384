import {StartError} from '../../engine.ts';
import {requirementIn, type Requirement} from './requirement.ts';

const INSTALL = /^[ \t]*[%!]pip3?[ \t]+install[ \t]+(.+?)[ \t]*$/gm;
/** Shell word, parts of which may be quoted. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

const wordsIn = (line: string): readonly string[] =>
	(line.match(WORD) ?? []).map(word => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));

/**
 * Requirements in the lines `%pip install` and `!pip install` of a cell.
 * @throws {StartError} for options, URLs and paths, which are not supported.
 */
export const packagesToInstall = (code: string): readonly Requirement[] => {
	// Fast path: most cells contain no such line.
	if (!code.includes('pip')) return [];
	const words = [...code.matchAll(INSTALL)].flatMap(([, list = '']) => wordsIn(list));
	return words
		.filter(word => !/^-(?:q+|U|-quiet|-upgrade)$/.test(word))
		.map(word => {
			const found = requirementIn(word);
			if (found) return found;
			throw new StartError(
				`${JSON.stringify(word)} cannot be installed here: name packages, such as frames or 'frames>=1.2', without options, addresses and paths.`,
			);
		});
};
