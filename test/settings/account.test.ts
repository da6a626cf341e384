// Two users of one service have separate accounts, even before a key is read.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {readStartupSettings} from '../../src/settings/startup-settings.ts';
import {tempFolder} from '../support/temp-folder.ts';

let temp: ReturnType<typeof tempFolder>;
beforeEach(() => {
	temp = tempFolder();
	vi.stubEnv('XDG_CONFIG_HOME', temp.path);
	const baseUrl = 'https://notebooks.example.com/hub/';
	mkdirSync(join(temp.path, 'svc-tui'));
	writeFileSync(
		join(temp.path, 'svc-tui/settings.json'),
		JSON.stringify({profiles: {mine: {baseUrl}, team: {baseUrl}}}),
	);
});
afterEach(() => {
	vi.unstubAllEnvs();
	temp[Symbol.dispose]();
});

const SVC_BASE_URL = 'https://notebooks.example.com/hub';

test('each profile is a user of its own, and so is each key that is given beside it', () => {
	const of = (profile: string, env: NodeJS.ProcessEnv = {}, apiKeyFile?: string): string =>
		readStartupSettings({profile, ...(apiKeyFile !== undefined && {apiKeyFile})}, env).account;
	expect(of('mine')).toBe('mine');
	expect(of('mine', {SVC_BASE_URL: 'https://other.example', SVC_API_KEY: 'one'})).toBe('mine');
	expect(of('local', {SVC_API_KEY: 'one'})).toBe('');
	const all = [
		of('mine'),
		of('team'),
		of('mine', {SVC_API_KEY: 'one'}),
		of('mine', {SVC_API_KEY: 'two', SVC_BASE_URL}),
		of('team', {SVC_API_KEY: 'one'}),
		of('mine', {}, 'key.txt'),
	];
	expect(new Set(all).size).toBe(all.length);
});

test('for an address it is the key, hashed everywhere', () => {
	const of = (SVC_API_KEY?: string): string =>
		readStartupSettings({}, {SVC_BASE_URL, ...(SVC_API_KEY !== undefined && {SVC_API_KEY})}).account;
	expect(of('secret-1')).toBe(of('secret-1'));
	expect(new Set([of(), of('secret-1'), of('secret-2')]).size).toBe(3);
	expect(of('secret-1')).toMatch(/^[\da-f]{32}$/);
});

test('data from before users were separated has at most one heir among the profiles', () => {
	const of = (profile: string, env: NodeJS.ProcessEnv = {}): boolean =>
		readStartupSettings({profile}, env).isHeir;
	expect([of('mine'), of('team'), of('local')]).toEqual([true, false, true]);
	expect(of('mine', {SVC_API_KEY: 'one'})).toBe(false);
	expect(readStartupSettings({}, {SVC_BASE_URL, SVC_API_KEY: 'one'}).isHeir).toBe(false);
	expect(readStartupSettings({}, {SVC_BASE_URL: 'https://other.example', SVC_API_KEY: 'one'}).isHeir).toBe(
		true,
	);
});
