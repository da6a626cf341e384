import {afterEach, expect, test} from 'vitest';
import {computeIdOf} from '../../../../src/query/option.ts';
import {cardForm} from '../../../../src/tui/servers/create/form.ts';
import {renting} from '../../../../src/tui/servers/create/submit.ts';
import {route} from '../../../../src/tui/core/store/route.ts';
import {offer, ready, server} from '../../../support/factories.ts';
import {openScreens, turn} from '../../../support/screens.tsx';

// The key that rents a server is a letter, so a typed word may start with it. No word may rent a
// server.

let open: ReturnType<typeof openScreens> | undefined;
afterEach(() => {
	open?.close();
});

const card = async () => {
	open = openScreens({servers: ready([server()]), connection: {status: 'ready'}});
	const {store, until} = open;
	await until(/welcome/);
	const form = cardForm({name: 'h100', suggested: 'h100', compute: 'cloud-H100x1'});
	route(store.getState).openDialog({kind: 'create', form});
	await until(/Rent a server/);
	return open;
};
const settled = async (): Promise<void> => {
	for (let count = 0; count < 20; count++) await turn();
};
const formIn = ({store}: ReturnType<typeof openScreens>) => {
	const dialog = store.getState().dialogs.at(-1);
	return dialog?.kind === 'create' ? dialog.form : undefined;
};

test.each(['my-box', 'train', 'Yolo', 'ärger', '4ever'])(
	'%s, typed key by key on the card, is the name of the server',
	async word => {
		const screens = await card();
		for (const letter of word) {
			screens.type(letter);
			await settled();
		}
		expect(formIn(screens)).toMatchObject({at: 'name', name: word, sending: null});
	},
);

test.each(['yolo', 'year', 'y2k', 'yt', 'ypsilon'])(
	'%s starts with the key that rents: the next letter takes it back',
	async word => {
		const screens = await card();
		for (const letter of word) {
			screens.type(letter);
			await settled();
		}
		expect(formIn(screens)).toMatchObject({at: 'name', name: word, sending: null});
		expect(formIn(screens)?.confirmed).toBeUndefined();
		await screens.until(/Nothing was sent: what you type is the name/);
	},
);

test('the key that rents counts once the card with this price is on screen', async () => {
	const screens = await card();
	const form = formIn(screens)!;
	route(screens.store.getState).closeDialog();
	await screens.until(/welcome/);
	// Starts the only server; the answer arrives in the same read.
	const {compute} = screens.store.getState();
	const option = offer();
	screens.store.setState({
		compute: ready([option]),
		servers: ready([server({status: 'offline', server_request: computeIdOf(option).id})]),
		current: 'welcome',
	});
	screens.type('sy');
	await screens.until(/the price was not on screen yet/);
	expect(formIn(screens)).toMatchObject({at: 'review', sending: null});
	expect(formIn(screens)?.confirmed).toBeUndefined();
	screens.store.setState({compute});
	route(screens.store.getState).changeDialog({kind: 'create', form});
	await settled();
	screens.type('y');
	await settled();
	expect(formIn(screens)).toMatchObject({at: 'review', confirmed: {text: 'y'}});
	await expect.poll(() => formIn(screens)?.sending).toBe('checking');
});

test('a start without a price is confirmed in the read that opens it, whatever key follows', async () => {
	const screens = await card();
	route(screens.store.getState).closeDialog();
	await screens.until(/welcome/);
	screens.store.setState({servers: ready([server({status: 'offline'})]), current: 'welcome'});
	let sent = 0;
	Object.assign(renting(screens.store.getState), {rent: async () => void sent++});
	screens.type('sy4');
	await settled();
	expect(sent).toBe(1);
});

test('a card that another dialog covered in that moment rents nothing, and can be confirmed later', async () => {
	const screens = await card();
	screens.type('y');
	await expect.poll(() => formIn(screens)?.confirmed).toEqual({text: 'y'});
	route(screens.store.getState).openDialog({kind: 'server', server: 'welcome'});
	const below = () => {
		const [dialog] = screens.store.getState().dialogs;
		return dialog?.kind === 'create' ? dialog.form : undefined;
	};
	await expect.poll(() => below()?.confirmed, {timeout: 10_000}).toBeUndefined();
	expect(below()?.sending).toBeNull();
});

test('a paste on the card is the name', async () => {
	const screens = await card();
	screens.type('\u001B[200~yes-yes\u001B[201~');
	await settled();
	expect(formIn(screens)).toMatchObject({at: 'name', name: 'yes-yes', sending: null});
});
