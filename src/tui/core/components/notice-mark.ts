import type {Notice} from '../store/notices.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** Mark of a notice, above the footer and in the list of messages. */
export const noticeMark = (kind: Notice['kind']): string =>
	({info: paint('accent', glyph.notice), good: paint('good', glyph.yes), bad: paint('bad', glyph.no)})[kind];
