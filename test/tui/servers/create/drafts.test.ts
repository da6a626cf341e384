import {expect, test} from 'vitest';
import {newForm} from '../../../../src/tui/servers/create/form.ts';
import {servers} from '../../../../src/tui/servers/index.ts';
import {route} from '../../../../src/tui/core/store/route.ts';
import {startHostileService} from '../../../faults/hostile-service.ts';
import {storeOn} from '../../../support/store-on.ts';

test('the draft of a form keeps all of its fields', async () => {
	await using service = await startHostileService({});
	const typed = {name: 'a', environment: 'lab-python3', compute: 'lab-gpu-a100x1', time: '4h', port: '8890'};
	const before = storeOn(service.baseUrl);
	route(before.getState).openDialog({kind: 'create', form: {...newForm(typed), untouched: false}});
	const source = servers.drafts?.create;
	const draft = source?.unsent(before.getState(), '') ?? null;
	expect(draft).not.toBeNull();
	const after = storeOn(service.baseUrl);
	source?.putBack(after.getState(), '', draft!);
	expect(after.getState().keptForm).toMatchObject(typed);
});
