import {expect, test} from 'vitest';
import {isOver, isStartedState, isUp, meaningOf} from '../../src/text/server-states.ts';

test.each([
	['ready', 'ready'],
	['offline', 'offline'],
	['READY', 'up'],
	['Running', 'up'],
	['busy', 'up'],
	['IN_SERVICE', 'up'],
	['starting', 'coming'],
	['Starting up', 'coming'],
	['PENDING', 'coming'],
	['Spinning up', 'coming'],
	['spinning down', 'ending'],
	['stopping', 'ending'],
	['Shutting-down', 'ending'],
	['STOPPED', 'over'],
	['shut down', 'over'],
	['OFFLINE', 'over'],
	['hibernated', 'over'],
	['error: no quota', 'over'],
	['', 'unknown'],
	[' ', 'unknown'],
	['状態', 'unknown'],
	['not ready', 'unknown'],
	// A container that was created has not been started yet.
	['created', 'unknown'],
	['ready to start', 'unknown'],
	['toString', 'unknown'],
])('the state %j most likely means %s', (status, meaning) => {
	expect(meaningOf(status)).toBe(meaning);
});

test('a stopped server can be started, a running or starting one has nothing to start', () => {
	for (const status of ['offline', 'stopped', 'FAILED']) {
		expect(isOver(status)).toBe(true);
		expect(isStartedState(status)).toBe(false);
	}
	for (const status of ['ready', 'running', 'starting']) expect(isStartedState(status)).toBe(true);
	expect(isUp('starting')).toBe(false);
	// Only the service knows the meaning of these states.
	for (const status of ['', '状態']) {
		expect(isOver(status)).toBe(false);
		expect(isStartedState(status)).toBe(false);
	}
});
