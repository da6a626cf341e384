import type {RateStorage} from '../../../costs/reported-rates.ts';
import type {Rental} from './rentals.ts';

/** Rentals that an earlier run has stored. */
export const loadRentals = (kept: RateStorage): ReadonlyMap<string, Rental> =>
	new Map(
		kept
			.read()
			.map(({server, listed, rate, quoted, since}) => [
				server,
				{listed, rate, quoted, since, ranBefore: false},
			]),
	);

/** Writes changed rates to disk. @throws {Error} if the write fails. */
export const saveRentals = (
	kept: RateStorage,
	before: ReadonlyMap<string, Rental>,
	after: ReadonlyMap<string, Rental>,
): void => {
	for (const [server, {rate}] of before)
		if (rate !== null && (after.get(server)?.rate ?? null) === null) kept.drop(server);
	for (const [server, {listed, rate, quoted, since}] of after) {
		const old = before.get(server);
		const isSame = old !== undefined && old.rate === rate && old.listed === listed && old.since === since;
		if (rate !== null && !isSame) kept.keep({server, listed, rate, quoted, since});
	}
};
