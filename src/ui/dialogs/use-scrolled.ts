import {useRef, useState} from 'react';
import {scrolling} from '../components/scroll.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** Rows of a dialog that scroll by their first one; `more` says what is below. */
export const useScrolled = (count: number, room: number) => {
	const top = useRef(0);
	const [, draw] = useState(0);
	const height = Math.max(1, Math.min(count, room));
	const last = Math.max(0, count - height);
	const scroll = scrolling(() => top.current, last, height - 1, to => {
		top.current = to ?? last;
		draw(times => times + 1);
	});
	const from = Math.min(top.current, last);
	return {from, height, scroll, more: last > from ? paint('busy', `${glyph.below} ${last - from} more line${last - from === 1 ? '' : 's'}`) : ''};
};
