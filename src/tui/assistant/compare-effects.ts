import {markdownEngine, type MarkdownEngine} from '../core/components/markdown.ts';
import {clamp, scrolling} from '../core/components/scroll.ts';
import type {Rect, State} from '../core/program.ts';
import type {KeyContext} from '../core/feature.ts';
import {compareLines, type CompareLines} from './compare-lines.ts';
import {toggleThinking} from './commands.ts';
import {conversationOf, type Comparison} from './conversation.ts';
import {modelComparison} from './compare.ts';
import {clipboard} from '../core/store/clipboard.ts';

/** Lays out the answers in the rows between the pane's title and its bottom rule. */
export const layOutComparison = (
	state: Pick<State, 'models'>,
	comparison: Comparison,
	showsThinking: boolean,
	{width, height}: Pick<Rect, 'width' | 'height'>,
	engine: MarkdownEngine | undefined,
): CompareLines =>
	compareLines(comparison, {width, height: height - 2, engine, showsThinking, models: state.models});

export const comparisonEffects = ({get, rect}: KeyContext) => {
	const server = get().current ?? '';
	const now = (): Comparison | null => get().conversations.get(server)?.comparison ?? null;
	const choose = (by: number) => (): void => {
		const of = now();
		if (of)
			modelComparison(get).changeComparison(server, {
				chosen: clamp(of.chosen + by, 0, of.answers.length - 1),
			});
	};
	const shown = now();
	const laid =
		shown &&
		layOutComparison(get(), shown, conversationOf(get(), server).showsThinking, rect, markdownEngine());
	return {
		...scrolling(
			() => shown?.tops[shown.chosen] ?? null,
			laid?.last ?? 0,
			(laid?.room ?? 1) - 1,
			top =>
				shown && modelComparison(get).changeComparison(server, {tops: shown.tops.with(shown.chosen, top)}),
		),
		left: choose(-1),
		right: choose(1),
		adopt: () => modelComparison(get).adoptAnswer(server),
		copyAnswer() {
			const of = now();
			const answer = of?.answers[of.chosen]?.answer ?? '';
			return answer === '' ? 'There is no answer here yet' : clipboard(get).copy(answer, 'The answer');
		},
		thinking: () => toggleThinking(get, server),
		leave() {
			if (!modelComparison(get).stopComparison(server)) modelComparison(get).leaveComparison(server);
		},
	};
};
