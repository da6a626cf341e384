import {columnFormatOf} from './column-format.ts';
import {numberIn} from './reading.ts';
import type {Table} from './table.ts';
import {GROUPS} from './values.ts';

const NUMBER = /^[-−]?\d*\.?\d+$/;

/** Pattern that matches the digits with optional grouping marks, and any form of a minus sign. */
const pattern = (words: string, groups: string, decimal: string): RegExp => {
	const parts = [...words.replace(/^[-−]/, '')].map(each => (each === '.' ? `[${decimal}]` : each));
	const sign = /^[-−]/.test(words) ? String.raw`[-−–(]\s?[^\w\s.,]?\s?` : '';
	return new RegExp(sign + parts.join(`(?:[${groups}](?=\\d{3}))?`));
};

/** Finds a number typed without grouping marks in fields that have them: 1200 in $1,200.00. */
export type NumberFinder = {
	/** True if a row's source text may contain the number. */
	mayHold(raw: string): boolean;
	holds(field: string, column: number): boolean;
};

/** Null if `words` is not a number. */
export const numberFinder = (table: Table, words: string): NumberFinder | null => {
	if (!NUMBER.test(words)) return null;
	const anyMarks = pattern(words, `.,${GROUPS}`, '.,');
	const marks = {'.': pattern(words, `,${GROUPS}`, '.'), ',': pattern(words, `.${GROUPS}`, ',')};
	return {
		mayHold: raw => anyMarks.test(raw),
		holds(field, column) {
			if (!anyMarks.test(field)) return false;
			const {reading} = columnFormatOf(table, column);
			return (
				reading.kind === 'numbers' &&
				marks[reading.decimal].test(field) &&
				numberIn(field, reading) !== undefined
			);
		},
	};
};
