import {describe, expect, test} from 'vitest';
import {createAnnouncer} from '../../src/app/screen-reader/announcements.ts';
import type {CellOutput} from '../../src/contract/cells.ts';
import type {State} from '../../src/tui/core/program.ts';
import {EMPTY_REPL} from '../../src/tui/repl/transcript.ts';
import {type Cell} from '../../src/tui/cells/cell.ts';
import {cell} from '../support/factories.ts';
import {storeOn} from '../support/store-on.ts';
import {HOSTILE_TEXTS} from '../text/hostile-text.ts';

const {getState} = storeOn('http://127.0.0.1:1');
const stateWith = (...cells: Cell[]): State => ({
	...getState(),
	current: 's',
	repls: new Map([['s', {...EMPTY_REPL, cells}]]),
});
const resultOf = (...outputs: CellOutput[]): Cell['result'] => ({
	cell_type: 'code',
	execution_count: 1,
	metadata: {},
	source: '',
	outputs,
});

/** Announcements for a submitted cell that has this output. */
const toldOf = (output: CellOutput): readonly string[] => {
	const news = createAnnouncer(() => false);
	news(stateWith());
	news(stateWith(cell({state: 'running', endedAt: null})));
	return news(stateWith(cell({result: resultOf(output)})));
};

describe('the result of a cell', () => {
	test.each(HOSTILE_TEXTS)('$name is announced without terminal controls', ({text}) => {
		const told = toldOf({output_type: 'execute_result', data: {'text/plain': `${text}\u001B[2J hi`}});
		expect(told.length).toBeGreaterThan(1);
		expect(told.join('')).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
	});
});
