// Versions of Python packages and their specifiers, after PEP 440.

export type Version = {
	/** Sort key: compared item by item. */
	readonly key: readonly (number | string)[];
	readonly release: readonly number[];
	readonly isPrerelease: boolean;
	/** Written text of it, but not its local part. */
	readonly text: string;
};

const VERSION =
	/^v?(?:(?<epoch>\d+)!)?(?<release>\d+(?:\.\d+)*)(?:[-_.]?(?<stage>alpha|beta|preview|pre|rc|a|b|c)[-_.]?(?<stageNumber>\d*))?(?:-(?<plainPost>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?<post>\d*))?(?:[-_.]?dev[-_.]?(?<dev>\d*))?(?:\+[a-z\d]+(?:[-_.][a-z\d]+)*)?$/i;
const STAGES: Readonly<Record<string, string>> = {
	alpha: 'a',
	a: 'a',
	beta: 'b',
	b: 'b',
	rc: 'rc',
	c: 'rc',
	pre: 'rc',
	preview: 'rc',
};
/** Items of a release in a sort key. Real ones have six at most. */
const ITEMS = 8;

/** Null if the text is not a version. */
export const versionIn = (text: string): Version | null => {
	const found = VERSION.exec(text.trim())?.groups;
	if (!found) return null;
	const release = (found['release'] ?? '').split('.').map(Number);
	const stage = found['stage'] === undefined ? '' : (STAGES[found['stage'].toLowerCase()] ?? '');
	const post = found['plainPost'] ?? found['post'];
	const {dev, epoch = '0'} = found;
	const stageNumber = Number(found['stageNumber'] ?? 0);
	// A development release of the final one sorts before its first alpha.
	const order = stage === '' ? (dev !== undefined && post === undefined ? ' ' : 'z') : stage;
	return {
		key: [
			Number(epoch),
			...Array.from({length: ITEMS}, (_, at) => release[at] ?? 0),
			order,
			stageNumber,
			post === undefined ? -1 : Number(post),
			dev === undefined ? Infinity : Number(dev),
		],
		release,
		isPrerelease: stage !== '' || dev !== undefined,
		text: text.trim().replace(/\+.*$/, ''),
	};
};

/** Negative if the first version is older. */
export const compareVersions = (one: Version, other: Version): number => {
	for (const [at, item] of one.key.entries()) {
		const against = other.key[at];
		if (against === undefined || item === against) continue;
		return item < against ? -1 : 1;
	}
	return 0;
};

/** A specifier such as `>=1.2`. */
export type Specifier = {readonly operator: string; readonly version: string};

const SPECIFIER = /^(?<operator>~=|===|==|!=|<=|>=|<|>)\s*(?<version>[\w.!+*-]+)$/;

/** Null if the text is not a list of specifiers. */
export const specifiersIn = (text: string): readonly Specifier[] | null => {
	const parts = text
		.split(',')
		.map(part => part.trim())
		.filter(part => part !== '');
	const found = parts.map(part => SPECIFIER.exec(part)?.groups);
	return found.every(each => each !== undefined)
		? found.map(each => ({operator: each['operator'] ?? '', version: each['version'] ?? ''}))
		: null;
};

const startsWith = ({release}: Version, prefix: readonly number[]): boolean =>
	prefix.every((item, at) => (release[at] ?? 0) === item);

const passes = (version: Version, {operator, version: text}: Specifier): boolean => {
	if (operator === '===') return version.text === text;
	const isPrefix = text.endsWith('.*');
	const wanted = versionIn(isPrefix ? text.slice(0, -2) : text);
	if (wanted === null) return false;
	const order = compareVersions(version, wanted);
	switch (operator) {
		case '==':
			return isPrefix ? startsWith(version, wanted.release) : order === 0;
		case '!=':
			return isPrefix ? !startsWith(version, wanted.release) : order !== 0;
		case '<=':
			return order <= 0;
		case '>=':
			return order >= 0;
		case '<':
			// `<2` excludes 2.0rc1, unless the bound is a prerelease itself.
			return (
				order < 0 && (wanted.isPrerelease || !version.isPrerelease || !startsWith(version, wanted.release))
			);
		case '>':
			return order > 0 && !(version.text.includes('post') && startsWith(version, wanted.release));
		default:
			// `~=1.4.2` is `>=1.4.2, ==1.4.*`.
			return order >= 0 && startsWith(version, wanted.release.slice(0, -1));
	}
};

export const satisfies = (version: Version, specifiers: readonly Specifier[]): boolean =>
	specifiers.every(each => passes(version, each));
