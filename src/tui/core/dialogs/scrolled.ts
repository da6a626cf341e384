import {scrolling} from '../components/scroll.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** Which of `count` rows a dialog shows from row `top` on; `more` says what is below. */
export const scrolled = (top: number, count: number, room: number) => {
	const height = Math.max(1, Math.min(count, room));
	const last = Math.max(0, count - height);
	const from = Math.min(top, last);
	return {
		from,
		height,
		last,
		more:
			last > from
				? paint('busy', `${glyph.below} ${last - from} more line${last - from === 1 ? '' : 's'}`)
				: '',
	};
};

/** Handlers of the keys that scroll them. */
export const scrolledKeys = (
	top: () => number | undefined,
	count: number,
	room: number,
	move: (top: number) => void,
) => {
	const {height, last} = scrolled(0, count, room);
	return scrolling(
		() => top() ?? 0,
		last,
		height - 1,
		to => move(to ?? last),
	);
};
