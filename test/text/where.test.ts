import {expect, test} from 'vitest';
import {csvTable} from '../../src/text/table/table.ts';
import {parseWhere, rowsWhere, type Where} from '../../src/text/table/where.ts';

const TEXT = `id,City,price=net,paid
9007199254740993,Oslo,"1,200",true
9007199254740992,Ålesund,$80.5,
7,oslo,,false
8,Bergen,1e3,true
`;

const passing = (typed: string): readonly number[] => {
	const table = csvTable(TEXT);
	table.advance(Infinity);
	return [...(rowsWhere(table, [parseWhere(typed, table.names) as Where]).next().value as Uint32Array)];
};

test.each([
	['City=Oslo', [0]],
	['city == Oslo', [0]],
	['City!=Oslo', [1, 2, 3]],
	['City~oslo', [0, 2]],
	['City~Oslo', [0]],
	['City<Oslo', [3]],
	['price=net>=1000', [0, 3]],
	['price=net<1,000', [1]],
	['price=net=', [2]],
	['price=net!=', [0, 1, 3]],
	['price=net!=1000', [0, 1, 2]],
	['id=9007199254740993', [0]],
	['id>9007199254740992', [0]],
	['oslo', [0, 2]],
	['1200', [0]],
	['~true', [0, 3]],
] as const)('%s', (typed, rows) => {
	expect(passing(typed)).toEqual(rows);
});

test('a name before an operator that no column has is unknown', () => {
	expect(parseWhere('prise > 3', ['price'])).toEqual({unknown: 'prise'});
});
