import {afterEach, test} from 'vitest';
import {MODELS} from '../../../src/contract/names.ts';
import {ready, server} from '../../support/factories.ts';
import {openScreens} from '../../support/screens.tsx';
import {route} from '../../../src/tui/core/store/route.ts';

let open: ReturnType<typeof openScreens> | undefined;
afterEach(() => {
	open?.close();
});

test('names of models that arrive while the list to ask several is open are in it, and in the pane’s title', async () => {
	open = openScreens({
		servers: ready([server({name: 'trainer'})]),
		current: 'trainer',
		connection: {status: 'ready'},
	});
	const {store, until} = open;
	await until(/trainer/);
	route(store.getState).go('assistant');
	await until(/Assistant · trainer · model_\d/);
	route(store.getState).openDialog({kind: 'compare-models', server: 'trainer'});
	await until(/Ask several models[^]*■ model_\d/);
	store.setState({models: MODELS.map(id => ({id, name: `real ${id.at(-1) ?? ''}`}))});
	await until(/Assistant · trainer · real \d[^]*■ real \d +model_\d/);
});
