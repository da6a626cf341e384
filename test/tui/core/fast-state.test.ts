import {setFlagsFromString} from 'node:v8';
import {expect, test} from 'vitest';
import {storeOn} from '../../support/store-on.ts';
import {listViews} from '../../../src/tui/core/store/lists.ts';

setFlagsFromString('--allow-natives-syntax');
const hasFastProperties = new Function('each', 'return %HasFastProperties(each)') as (
	each: object,
) => boolean;

test('the state is not a dictionary to V8 after a change, which would slow down each key', () => {
	const store = storeOn('http://127.0.0.1:1');
	listViews(store.getState).changeList('servers', {at: 1});
	expect(hasFastProperties(store.getState())).toBe(true);
	store.setState({current: 'one'});
	expect(hasFastProperties(store.getState())).toBe(true);
});

test('an empty change notifies no listener', () => {
	const store = storeOn('http://127.0.0.1:1');
	let heard = 0;
	store.subscribe(() => heard++);
	store.setState(state => state);
	expect(heard).toBe(0);
	store.setState({current: 'one'});
	expect(heard).toBeGreaterThan(0);
});
