import {stripVTControlCharacters as strip} from 'node:util';
import {expect, test} from 'vitest';
import {createStore} from '../../../src/tui/create-store.ts';
import {headerLine, tabAt} from '../../../src/tui/core/frame/header.ts';
import {allScreens} from '../../../src/tui/core/features.ts';
import {deps} from '../../frames/scenes/support.ts';

test('a tab is found at every cell of its name, at any width of the header', () => {
	const store = createStore({client: async () => new Promise(() => {}), now: () => 0, ...deps} as never);
	for (let width = 60; width <= 200; width++) {
		const line = strip(headerLine(store.getState(), width));
		for (const {id, jump, title, short = title} of allScreens()) {
			const name = [`${jump} ${title}`, `${jump} ${short}`].find(each => line.includes(each));
			if (name === undefined) continue;
			const at = line.indexOf(name);
			for (const x of [at, at + name.length - 1])
				expect(tabAt(store.getState(), width, x), `${width}`).toBe(id);
		}
	}
});
