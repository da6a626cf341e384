import {Box} from 'ink';
import type {Comparison} from '../../../store/assistant-conversation.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut} from '../../../text/width.ts';
import {useMarkdown} from '../../components/markdown.ts';
import {paneTitle} from '../../components/pane-title.ts';
import {Rows} from '../../components/rows.tsx';
import {clamp, scrolling} from '../../components/scroll.ts';
import {belowMark} from '../../components/transcript.ts';
import {modelName} from '../../dialogs/model-picker.tsx';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {useApp, useGetState} from '../../store-context.ts';
import {glyph} from '../../theme/glyphs.ts';
import {paint} from '../../theme/theme.ts';
import {compareLines} from './compare-lines.ts';

type Props = {readonly server: string; readonly comparison: Comparison; readonly rect: Rect; readonly hasKeys: boolean};

/** The answers of several models to the same question, in place of the conversation until one is taken. */
export const CompareScreen = ({server, comparison, rect: {width, height}, hasKeys}: Props) => {
	const get = useGetState();
	const engine = useMarkdown();
	const zoomed = useApp(state => state.zoomed);
	const nameOf = (model: string): string => modelName(get(), model);
	const lay = (of: Comparison) => compareLines(of, {width, height: height - 2, engine, nameOf});
	const now = (): Comparison => get().conversations.get(server)?.comparison ?? comparison;
	const laid = lay(comparison);
	const choose = (by: number) => (): void => get().changeComparison(server, {chosen: clamp(now().chosen + by, 0, now().answers.length - 1)});
	const scroll = () => {
		const {tops, chosen} = now();
		const {last, room} = lay(now());
		return scrolling(() => tops[chosen] ?? null, last, room - 1, top => get().changeComparison(server, {tops: tops.with(chosen, top)}));
	};
	useKeys('comparison', {
		up: () => scroll().up(), down: () => scroll().down(), pageUp: () => scroll().pageUp(), pageDown: () => scroll().pageDown(), first: () => scroll().first(), last: () => scroll().last(),
		left: choose(-1),
		right: choose(1),
		adopt: () => get().adoptAnswer(server),
		copyAnswer() {
			const {answers, chosen} = now();
			const answer = answers[chosen]?.answer ?? '';
			return answer === '' ? 'There is no answer here yet' : get().copy(answer, 'The answer');
		},
		leave() {
			if (!get().stopComparison(server)) get().leaveComparison(server);
		},
	});
	const title = paneTitle({name: 'Assistant', server, detail: `${comparison.answers.length} models asked the same`, focused: hasKeys, width});
	const chosen = comparison.answers[comparison.chosen];
	const said = cut(` ${[belowMark(laid.below), paint('dim', `Enter goes on with ${label(nameOf(chosen?.model ?? ''), 40)}`), laid.areBeside || zoomed ? '' : paint('dim', 'z makes room')].filter(each => each !== '').join(paint('dim', ' · '))} `, width - 4);
	const rule = paint('dim', glyph.rule.repeat(2)) + said + paint('dim', glyph.rule.repeat(Math.max(0, width - 2 - cellWidth(said))));
	return (
		<Box flexDirection="column">
			<Rows height={1} lines={[title]}/>
			<Rows height={height - 2} lines={laid.lines}/>
			<Rows height={1} lines={[rule]}/>
		</Box>
	);
};
