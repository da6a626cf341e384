import {costLines} from './lines.ts';
import {DialogBox, lineWidth, widthFor} from '../../core/dialogs/dialog-box.tsx';
import {BESIDE_MARK, readerKeys, scrolled} from '../../core/dialogs/scrolled.ts';
import type {DialogProps, Rect, State} from '../../core/program.ts';
import {useFields} from '../../core/store-context.ts';

const WIDTH = 130;

type Known = Pick<State, 'costs' | 'dailyLimit' | 'look'>;

const linesOf = ({costs, dailyLimit}: Known, body: Rect): readonly string[] =>
	costLines(costs, dailyLimit, lineWidth(body, WIDTH) - BESIDE_MARK);

export const costReader = readerKeys('costs', (_, {get, rect}) => ({
	count: linesOf(get(), rect).length,
	room: rect.height - 2,
}));

/** Costs of servers per day, as far as observed. */
export const CostsDialog = ({top = 0, body}: DialogProps<'costs'>) => {
	const known = useFields('costs', 'dailyLimit', 'look');
	const lines = linesOf(known, body);
	const {rowsOf, position} = scrolled(top, lines.length, body.height - 2);
	const days = known.costs?.days.length ?? 0;
	const title = days === 0 ? 'Costs' : days === 1 ? 'Costs of today' : `Costs of ${days} days`;
	const width = widthFor(title, lines, WIDTH, BESIDE_MARK);
	return (
		<DialogBox
			title={title}
			body={body}
			width={width}
			lines={rowsOf(lines, lineWidth(body, width))}
			position={position}
		/>
	);
};
