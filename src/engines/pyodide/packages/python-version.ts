// Versions of Python packages and version specifiers, according to PEP 440.
import {explain, satisfies as isIn, valid, validRange} from '@renovatebot/pep440';

export {compare as compareVersions} from '@renovatebot/pep440';

/** Normalised version. Null if the text is not a version. */
export const versionIn = (text: string): string | null => valid(text.trim());

/** True for alpha, beta and development releases, and for release candidates. */
export const isPrerelease = (version: string): boolean => explain(version)?.is_prerelease === true;

/**
 * Specifiers such as `>=1.2,<2` without spaces. Empty if there are none. Null if the text is not
 * valid.
 */
export const specifiersIn = (text: string): string | null => {
	const specifiers = text.replaceAll(/\s/g, '').replace(/,+$/, '');
	return specifiers === '' || validRange(specifiers) ? specifiers : null;
};

export const satisfies = (version: string, specifiers: string): boolean =>
	specifiers === '' || isIn(version, specifiers, {prereleases: true});
