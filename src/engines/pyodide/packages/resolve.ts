// Chooses the files for requirements: packages of Pyodide's distribution, or else pure wheels from
// an index.
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {writeDurably} from '../../../machine/atomic-write.ts';
import {openZip} from '../../../text/table/files/zip.ts';
import {StartError} from '../../engine.ts';
import {normalName, type LockedFile} from './lock.ts';
import {ACCEPTED, readPage, type IndexedWheel, type IndexPage} from './package-index.ts';
import {compareVersions, isPrerelease, satisfies, versionIn} from './python-version.ts';
import {fitsPython, holds, requirementIn, type Requirement} from './requirement.ts';
import type {PackageStore} from './store.ts';

/**
 * Maximum number of packages that a cell may install. A malicious index could name new dependencies
 * endlessly.
 */
const MOST_PACKAGES = 500;
const MOST_METADATA = 20_000_000;

export type PackageIndex = {
	/** URL of the index, ending with a slash. Null if no index is used. */
	readonly url: URL | null;
	readonly proxyEnv: Readonly<Record<string, string | undefined>>;
};

export type Resolved = {
	/** Names of packages in Pyodide's distribution. */
	readonly names: readonly string[];
	/** Pure wheels from the index, which have been downloaded to the store. */
	readonly wheels: readonly LockedFile[];
};

const reasonOf = (all: readonly Requirement[]): string => all.map(({text}) => text).join(' and ');

/** Requirements in a wheel's metadata. @throws {StartError} if the wheel has no metadata. */
const requirementsOf = async (path: string, {file}: IndexedWheel): Promise<readonly Requirement[]> => {
	const [name = '', version = ''] = file.split('-');
	let bytes: Uint8Array | null;
	try {
		bytes = openZip(await readFile(path), MOST_METADATA).read(`${name}-${version}.dist-info/METADATA`);
	} catch {
		bytes = null;
	}
	if (bytes === null) throw new StartError(`${file} is not a wheel: it has no readable metadata.`);
	const [head = ''] = new TextDecoder().decode(bytes).split(/\r?\n\r?\n/);
	return [...head.matchAll(/^Requires-Dist:\s*(.+)$/gim)].flatMap(
		([, text = '']) => requirementIn(text) ?? [],
	);
};

/**
 * Chooses the newest pure wheel of each package that satisfies all requirements known so far.
 * Downloads it, because its metadata lists its dependencies. If a later requirement excludes a
 * chosen wheel, another one is chosen.
 */
export const createResolver = (store: PackageStore, {url: index, proxyEnv}: PackageIndex) => {
	/** Path of the cached index page of a package, which is used if the network is down. */
	const cachedPage = (url: URL): string =>
		join(store.folder, 'index', `${createHash('sha256').update(url.href).digest('hex').slice(0, 32)}.page`);
	const pageOf = async (name: string, wanted: string): Promise<IndexPage> => {
		if (index === null)
			throw new StartError(`Pyodide's distribution has no package ${name}, and no package index is used.`);
		const page = new URL(`${encodeURIComponent(name)}/`, index);
		const {fetchPage} = await import('./download.ts');
		let text: string | null;
		try {
			text = await fetchPage(page, ACCEPTED, {proxyEnv, signal: store.signal});
			if (text !== null) {
				mkdirSync(join(store.folder, 'index'), {recursive: true, mode: 0o700});
				writeDurably(cachedPage(page), text);
			}
		} catch (error) {
			try {
				text = readFileSync(cachedPage(page), 'utf8');
			} catch {
				throw error;
			}
		}
		if (text === null)
			throw new StartError(
				`Neither Pyodide's distribution nor the package index ${index.host} has a package ${name}${wanted === name ? '' : `, which is needed for ${wanted}`}.`,
			);
		try {
			return readPage(text, page, name);
		} catch {
			throw new StartError(
				`The response of ${index.host} for ${name} is not a page of a package index. Set PIP_INDEX_URL to another index.`,
			);
		}
	};

	const choose = ({pure, others}: IndexPage, name: string, all: readonly Requirement[]): IndexedWheel => {
		const {host = ''} = index ?? {};
		const {python} = store.lock();
		const each = all.flatMap(({specifiers}) => specifiers.split(',').filter(one => one !== ''));
		const specifiers = each.join(',');
		const isPinned = each.some(one => one.startsWith('=='));
		const isPreWanted = each.some(one => isPrerelease(one.replace(/^\W+/, '')));
		if (pure.length === 0)
			throw new StartError(
				others === 0
					? `The package index ${host} lists no file of ${name}.`
					: `${host} has no pure wheel of ${name}, only sources or builds for other systems, which the embedded Python cannot use. Jupyter Server can install it: svc-tui help environments`,
			);
		const fitting = pure
			.filter(({isYanked}) => isPinned || !isYanked)
			.filter(({version}) => satisfies(version, specifiers))
			.toSorted((one, other) => compareVersions(other.version, one.version));
		if (fitting.length === 0)
			throw new StartError(
				`No pure wheel of ${name} at ${host} fits ${reasonOf(all)}. Its newest version is ${pure.toSorted((one, other) => compareVersions(other.version, one.version))[0]?.version}.`,
			);
		const usable = fitting.filter(({requiresPython}) => fitsPython(python, requiresPython));
		const found = usable.find(({version}) => isPreWanted || !isPrerelease(version)) ?? usable[0];
		if (!found)
			throw new StartError(
				`${name} needs Python ${fitting[0]?.requiresPython}, and the embedded one is ${python}.`,
			);
		return found;
	};

	const lockedFile = (name: string, {file, version, url, sha256}: IndexedWheel): LockedFile => {
		if (sha256 === null)
			throw new StartError(`${url.host} states no SHA-256 of ${file}, so it is not installed.`);
		return {name, version, file, sha256: sha256.toLowerCase(), url};
	};

	/** Chooses and downloads the files. @throws {StartError} with the reason as a sentence. */
	return async (wanted: readonly Requirement[], onProgress?: (text: string) => void): Promise<Resolved> => {
		const lock = store.lock();
		const names = new Set<string>();
		const required = new Map<string, {requirements: Requirement[]; extras: Set<string>; for: string}>();
		const chosen = new Map<string, {readonly wheel: IndexedWheel; readonly file: LockedFile}>();
		const pages = new Map<string, IndexPage>();
		const queue: {readonly requirement: Requirement; readonly for: string}[] = wanted.map(requirement => ({
			requirement,
			for: requirement.name,
		}));
		for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
			const {requirement} = next;
			const {name} = requirement;
			if (lock.has(name)) {
				const found = lock.filesOf([name]).find(each => normalName(each.name) === name);
				const version = versionIn(found?.version ?? '');
				if (version !== null && !satisfies(version, requirement.specifiers))
					throw new StartError(
						`${requirement.text} cannot be installed: Pyodide's distribution has ${name} ${version}.`,
					);
				names.add(name);
				continue;
			}
			const known = required.get(name) ?? {requirements: [], extras: new Set<string>(), for: next.for};
			const isNew = !required.has(name) || requirement.extras.some(extra => !known.extras.has(extra));
			known.requirements.push(requirement);
			for (const extra of requirement.extras) known.extras.add(extra);
			required.set(name, known);
			if (required.size > MOST_PACKAGES)
				throw new StartError(`More than ${MOST_PACKAGES} packages are needed for ${known.for}.`);
			const before = chosen.get(name);
			if (before && !isNew && satisfies(before.wheel.version, requirement.specifiers)) continue;
			const page = pages.get(name) ?? (await pageOf(name, known.for));
			pages.set(name, page);
			const wheel = choose(page, name, known.requirements);
			const file = lockedFile(name, wheel);
			chosen.set(name, {wheel, file});
			await store.ensure([file], onProgress);
			for (const each of await requirementsOf(store.pathOf(file), wheel))
				if (holds(each.marker, lock.python, [...known.extras]))
					queue.push({requirement: each, for: known.for});
		}
		return {names: [...names], wheels: [...chosen.values()].map(({file}) => file)};
	};
};
