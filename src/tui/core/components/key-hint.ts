import {fit} from '../../../text/width/width.ts';
import {keyNameOf} from '../../../text/key-name.ts';
import {showKey} from '../frame/footer.ts';
import {paint} from '../theme/theme.ts';

/** A key and what it does, at the foot of a dialog: `y save`. Empty where the user took all its keys away. */
export const keyHint = (entry: string, words: string): string =>
	keyNameOf(entry) === '' ? '' : `${paint('accent', showKey(keyNameOf(entry)))} ${words}`;

/** Some of them side by side. */
export const keyHints = (...hints: readonly (readonly [entry: string, words: string])[]): string =>
	hints
		.map(each => keyHint(...each))
		.filter(each => each !== '')
		.join('   ');

/** The same as a row of a list: the words of all rows begin at the same cell. */
export const keyColumn = (entry: string, words: string): string =>
	`${paint('accent', fit(showKey(keyNameOf(entry)), 4))} ${words}`;
