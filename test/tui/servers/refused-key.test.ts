import {expect, test} from 'vitest';
import {newForm} from '../../../src/tui/servers/create/form.ts';
import {json, serverItem, startHostileService, success} from '../../faults/hostile-service.ts';
import {storeOn} from '../../support/store-on.ts';
import {serverList} from '../../../src/tui/servers/servers.ts';
import {route} from '../../../src/tui/core/store/route.ts';

test('a key that is refused in mid-session opens the sign-in once, and only when no field has the keys', async () => {
	await using service = await startHostileService({});
	const accept = (): void => service.answer({servers: () => success({servers: [serverItem('a')]})});
	const refuse = (): void => service.answer({servers: () => json({error: 'revoked'}, 401)});
	const store = storeOn(service.baseUrl);
	store.setState({isLocal: false});
	const {getState: get} = store;
	const opened = (): readonly string[] => get().dialogs.map(({kind}) => kind);
	accept();
	await serverList(get).refreshServers();

	route(get).openDialog({kind: 'create', form: newForm()});
	refuse();
	await serverList(get).refreshServers();
	expect(opened()).toEqual(['create']);
	route(get).closeDialog();
	expect(opened()).toEqual(['sign-in']);
	route(get).closeDialog();
	await serverList(get).refreshServers();
	expect(opened(), 'it was offered, and left').toEqual([]);

	accept();
	await serverList(get).refreshServers();
	route(get).go('repl');
	refuse();
	await serverList(get).refreshServers();
	expect(opened(), 'code is being typed').toEqual([]);
	route(get).go('servers');
	expect(opened()).toEqual(['sign-in']);
});
