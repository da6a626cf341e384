// The outcome of code is the same for every caller: screens, commands, agents and an assistant's
// task.
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {
	CALLERS,
	createWorld,
	CUT,
	turns,
	type Caller,
	type Driven,
	type End,
	type World,
	type WorldOptions,
} from './callers.ts';

/** Expected outcome. `ways`: the routes that the code took, in order. */
type Outcome = {
	readonly ways: string;
	readonly end: End | 'stopped' | null;
	readonly shown?: string;
	/** True if the caller considers its list of servers outdated. */
	readonly doubts?: boolean;
	readonly interrupted?: boolean;
	readonly answered?: string;
};

type Row = {
	readonly world?: WorldOptions;
	readonly act?: (world: World, driven: Driven) => Promise<void> | void;
	readonly all: Outcome;
	/** Differences from `all`. */
	readonly but?: {readonly [caller in Caller]?: Partial<Outcome>};
};

beforeEach(() => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date']});
});
afterEach(() => {
	vi.useRealTimers();
});

const drawn = (): void => void vi.advanceTimersByTime(1000);
const OVER_SERVICE = {end: 'done', shown: 'from the service\n'} as const;
/** Only callers that show a list of servers can consider it outdated. */
const DOUBTS = {repl: {doubts: true}, notebook: {doubts: true}} as const;
/** Callers that do not report whether stopped code has ended. */
const STOPPED = {work: {end: 'stopped'}} as const;

const ROWS: Readonly<Record<string, Row>> = {
	'code prints': {
		act({sent}) {
			sent[0]?.print('out\n');
			sent[0]?.end({kind: 'done'});
		},
		all: {ways: 'link', end: 'done', shown: 'out\n'},
	},
	'code raises': {
		act({sent}) {
			sent[0]?.raise('ValueError');
			sent[0]?.end({kind: 'done'});
		},
		all: {ways: 'link', end: 'raised'},
	},
	'the kernel dies': {
		act({sent}) {
			sent[0]?.raise('KernelDied');
			sent[0]?.end({kind: 'done'});
		},
		all: {ways: 'link', end: 'kernel died'},
		but: DOUBTS,
	},
	'a new kernel is there, unseen': {
		async act({sent}) {
			sent[0]?.end({kind: 'unsent', isNew: true});
			await turns();
			sent[1]?.print('out\n');
			sent[1]?.end({kind: 'done'});
		},
		all: {ways: 'link link', end: 'done', shown: 'out\n'},
	},
	'a new kernel is there each time': {
		async act({sent}) {
			sent[0]?.end({kind: 'unsent', isNew: true});
			await turns();
			sent[1]?.end({kind: 'unsent', isNew: true});
		},
		all: {ways: 'link link service', ...OVER_SERVICE},
	},
	'the kernel is not heard': {
		act: ({sent}) => sent[0]?.end({kind: 'unsent', isSilent: true}),
		all: {ways: 'link service', ...OVER_SERVICE},
	},
	'the code cannot be sent': {
		act: ({sent}) => sent[0]?.end({kind: 'unsent'}),
		all: {ways: 'link service', ...OVER_SERVICE},
	},
	'the link is cut for good': {
		act({sent}) {
			sent[0]?.print('out\n');
			sent[0]?.end({kind: 'failed', failure: CUT});
		},
		all: {ways: 'link', end: 'failed', shown: 'out\n'},
		but: {...DOUBTS, mcp: {shown: ''}, work: {shown: ''}},
	},
	'the address has no such kernel': {world: {hasKernel: false}, all: {ways: 'service', ...OVER_SERVICE}},
	'there is no link': {world: {hasLink: false}, all: {ways: 'service', ...OVER_SERVICE}},
	'the service fails': {
		world: {hasLink: false, service: 'fails'},
		all: {ways: 'service', end: 'failed'},
		but: DOUBTS,
	},
	'stopped, over a service elsewhere': {
		world: {hasLink: false, service: 'holds'},
		act: (_, {stop}) => stop(),
		all: {ways: 'service', end: 'gave up'},
		but: STOPPED,
	},
	'stopped, over the local service': {
		world: {hasLink: false, service: 'holds', isLocal: true},
		act: (_, {stop}) => stop(),
		all: {ways: 'service', end: 'interrupted'},
		but: STOPPED,
	},
	'stopped, over the link': {
		async act({sent}, {stop}) {
			stop();
			await turns();
			sent[0]?.raise('KeyboardInterrupt');
			sent[0]?.end({kind: 'done'});
		},
		all: {ways: 'link', end: 'interrupted', interrupted: true},
		but: STOPPED,
	},
	'stopped as the code ended': {
		async act({sent}, {stop}) {
			stop();
			await turns();
			sent[0]?.print('out\n');
			sent[0]?.end({kind: 'done'});
		},
		all: {ways: 'link', end: 'done', shown: 'out\n', interrupted: true},
		// The test ends commands with a signal.
		but: {
			script: {end: 'interrupted'},
			'notebook run': {end: 'interrupted'},
			mcp: {end: 'interrupted', shown: ''},
			work: {end: 'stopped'},
		},
	},
	'stopped before it was sent': {
		async act({sent}, {stop}) {
			stop();
			await turns();
			sent[0]?.end({kind: 'unsent'});
		},
		all: {ways: 'link', end: 'interrupted', interrupted: true},
		but: STOPPED,
	},
	'the kernel does not heed it': {
		async act(_, {stop}) {
			stop();
			await turns();
			vi.advanceTimersByTime(1000);
		},
		// A process that ends waits a second at most; a screen waits without a limit.
		all: {ways: 'link', end: 'gave up', interrupted: true},
		but: {...STOPPED, repl: {end: null}, notebook: {end: null}},
	},
	'a thread prints after the end': {
		async act({sent}) {
			sent[0]?.end({kind: 'done'});
			await turns();
			sent[0]?.print('late\n');
			drawn();
		},
		// Output up to then is complete when the command ends.
		all: {ways: 'link', end: 'done', shown: 'late\n'},
		but: {mcp: {shown: ''}, work: {shown: ''}},
	},
	'code asks for a line': {
		async act({sent}, {answer}) {
			sent[0]?.ask({prompt: 'name? ', isSecret: false});
			drawn();
			answer('typed');
			await turns();
			sent[0]?.end({kind: 'done'});
		},
		all: {ways: 'link', end: 'done', answered: 'typed'},
		// The kernel receives the reply that there is no user.
		but: {mcp: {answered: 'may not'}, work: {answered: 'may not'}},
	},
};

const outcomes = async ({world: options, act}: Row): Promise<Readonly<Record<Caller, Outcome>>> => {
	const found = await Promise.all(
		(Object.keys(CALLERS) as Caller[]).map(async caller => {
			const world = createWorld(options);
			const driven = await CALLERS[caller](world);
			await act?.(world, driven);
			await turns();
			const {sent, ways} = world;
			const outcome: Outcome = {
				ways: ways.join(' '),
				end: driven.end(),
				shown: driven.shown(),
				doubts: driven.doubts(),
				interrupted: sent.some(({interrupts}) => interrupts > 0),
				answered: sent.flatMap(({answered}) => answered).join(' '),
			};
			return [caller, outcome] as const;
		}),
	);
	return Object.fromEntries(found) as Record<Caller, Outcome>;
};

test.each(Object.entries(ROWS))('%s', async (_, row) => {
	const expected = (Object.keys(CALLERS) as Caller[]).map(
		caller =>
			[caller, {doubts: false, interrupted: false, answered: '', ...row.all, ...row.but?.[caller]}] as const,
	);
	expect(await outcomes(row)).toMatchObject(Object.fromEntries(expected));
});
