import {expect, test} from 'vitest';
import {createQuitting} from '../../src/app/quitting.ts';
import type {LocalService} from '../../src/app/own-local-service.ts';
import type {Session} from '../../src/app/session.ts';
import type {RetainedSummary} from '../../src/app/summary.ts';
import {storeOn} from '../support/store-on.ts';

const kept: RetainedSummary = {names: ['lab'], isLast: true, span: 1_800_000, asks: true};

const quitting = (staying: () => Promise<RetainedSummary | null>) => {
	const store = storeOn('http://127.0.0.1:1');
	const session = {store, begin() {}, save() {}, close() {}} satisfies Session;
	const local = {staying, stop: async () => {}} as Pick<LocalService, 'staying' | 'stop'> as LocalService;
	const ended: number[] = [];
	const quit = createQuitting({
		session: () => session,
		local,
		answered: async () => {},
		finish: code => ended.push(code),
	});
	return {quit, ended, dialogs: () => store.getState().dialogs.map(({kind}) => kind)};
};

test('the question about retained servers is asked once, for any number of key presses', async () => {
	const {quit, dialogs} = quitting(async () => kept);
	await Promise.all([quit(), quit(), quit()]);
	expect(dialogs()).toEqual(['keep']);
	await quit();
	expect(dialogs()).toEqual(['keep']);
});

test('without retained servers the program ends once', async () => {
	const {quit, ended} = quitting(async () => null);
	await Promise.all([quit(), quit()]);
	expect(ended).toEqual([0]);
});
