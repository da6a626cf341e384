import {askMany} from '../support/questions.ts';
import type {Measurement} from './measurement.ts';

const COUNT = 2000;

/** Sends large questions while the program is busy. @throws {Error} if one is lost. */
export const questions = async (): Promise<readonly Measurement[]> => {
	const asked = await askMany(COUNT);
	const lost = asked.filter(each => each.lost !== null);
	if (lost.length > 0)
		throw new Error(
			`${lost.length} of ${COUNT} questions were lost: ${lost
				.slice(0, 3)
				.map(each => `${each.bytes} bytes: ${each.lost}`)
				.join('; ')}`,
		);
	return [
		{
			id: 'Q',
			what: `one of ${COUNT} questions of 60 to 500 KB from a busy program; none was lost`,
			unit: 'ms',
			values: asked.map(each => each.took),
		},
	];
};
