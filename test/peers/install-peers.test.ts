// @module-tag long
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {INSTALL_MS, installPeers, PEERS} from './install-peers.ts';

type Locked = {
	readonly version?: string;
	readonly integrity?: string;
	readonly resolved?: string;
	readonly os?: unknown;
	readonly cpu?: unknown;
	readonly hasInstallScript?: boolean;
};
const read = (path: string): Readonly<Record<string, unknown>> =>
	JSON.parse(readFileSync(join(PEERS, path), 'utf8')) as Record<string, unknown>;

beforeAll(installPeers, INSTALL_MS);

test('the peers install from any registry, on any platform, without a script', () => {
	const {'': _, ...packages} = read('package-lock.json')['packages'] as Readonly<Record<string, Locked>>;
	expect(Object.keys(packages).length).toBeGreaterThan(20);
	const bound = Object.entries(packages).filter(
		([, {integrity, resolved, os, cpu, hasInstallScript}]) =>
			integrity === undefined || (resolved ?? os ?? cpu ?? hasInstallScript) !== undefined,
	);
	expect(bound).toEqual([]);
});

test('the peers are the versions that package.json names exactly, and have another zod than the program', () => {
	const wanted = read('package.json')['dependencies'] as Readonly<Record<string, string>>;
	expect(wanted).toMatchObject({ai: '4.3.19', '@ai-sdk/ui-utils': '1.2.11'});
	for (const [name, version] of Object.entries(wanted))
		expect(read(`node_modules/${name}/package.json`)['version'], name).toBe(version);
	expect(wanted['zod']).toMatch(/^3\./);
	expect(read('../../node_modules/zod/package.json')['version']).toMatch(/^4\./);
});
