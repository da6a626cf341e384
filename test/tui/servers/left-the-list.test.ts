import {afterEach, expect, test} from 'vitest';
import {ready, server} from '../../support/factories.ts';
import {openScreens} from '../../support/screens.tsx';
import {route} from '../../../src/tui/core/store/route.ts';

let open: ReturnType<typeof openScreens> | undefined;
afterEach(() => {
	open?.close();
});

test('panes of a server that has left the list say so, speak of no other, and have it again when it is back', async () => {
	const [trainer, other] = [server({name: 'trainer'}), server({name: 'other'})];
	open = openScreens({servers: ready([trainer, other]), current: 'trainer', connection: {status: 'ready'}});
	const {store, until} = open;
	await until(/trainer/);
	for (const screen of ['files', 'repl', 'assistant'] as const) {
		store.setState({servers: ready([trainer, other])});
		route(store.getState).go(screen);
		await until(/ · trainer/);
		store.setState({servers: ready([other])});
		const text = await until(/There is no server trainer on this service/);
		expect(text).toMatch(/\S+ shows your servers/);
		expect(text).not.toContain('other');
		store.setState({servers: ready([trainer, other])});
		await until(/ · trainer/);
	}
});

test('in the form Shift-Tab returns to the previous field, and undo reverts typing into the name', async () => {
	open = openScreens({servers: ready([server({name: 'trainer'})]), connection: {status: 'ready'}});
	const {type, until} = open;
	await until(/trainer/);
	type('c');
	await until(/Rent a server/);
	type('n');
	await until(/▸ name/);
	type('first');
	await until(/▸ name +first/);
	type('\t');
	await until(/▸ environment/);
	type('\u001B[Z');
	await until(/▸ name +first/);
	type(' one');
	await until(/▸ name +first one/);
	type('\u001F');
	await until(/▸ name +first(?! one)/);
});
