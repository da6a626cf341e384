import {cellWidth, fit} from '../../../text/width/width.ts';
import {keyNameOf} from '../../../text/key-name.ts';
import {showKey} from '../frame/footer.ts';
import type {Failure} from '../store/remote.ts';
import {paint} from '../theme/theme.ts';

/**
 * A key and its effect at the foot of a dialog: `y save`. Empty if the user removed all its keys.
 */
export const keyHint = (entry: string, words: string): string =>
	keyNameOf(entry) === '' ? '' : `${paint('accent', showKey(keyNameOf(entry)))} ${words}`;

type Hint = readonly [entry: string, words: string];

const GAP = '   ';
const shownOf = (hints: readonly Hint[]): readonly string[] =>
	hints.map(each => keyHint(...each)).filter(each => each !== '');

/** Several hints in a line. */
export const keyHints = (...hints: readonly Hint[]): string => shownOf(hints).join(GAP);

/** Several hints in as few rows of `width` cells as possible; none is cut. */
export const keyRows = (width: number, ...hints: readonly Hint[]): readonly string[] =>
	shownOf(hints).reduce<readonly string[]>((rows, hint) => {
		const last = rows.at(-1);
		return last === undefined || cellWidth(last + GAP + hint) > width
			? [...rows, hint]
			: [...rows.slice(0, -1), last + GAP + hint];
	}, []);

/** Hint as a row of a list: the descriptions of all rows start at the same cell. */
export const keyColumn = (entry: string, words: string): string =>
	`${paint('accent', fit(showKey(keyNameOf(entry)), 4))} ${words}`;

/**
 * Hint on the key that shows the request and response of an error. `entry`: `global.evidence` works
 * only outside text fields.
 */
export const callDetailsHint = (
	{status}: Pick<Failure, 'status'>,
	entry: 'global.evidence' | 'always.evidence',
): string => keyHint(entry, status === undefined ? 'shows the request' : 'shows the response');
