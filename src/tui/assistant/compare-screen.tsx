import {Box} from 'ink';
import {conversationOf, type Comparison} from './conversation.ts';
import {label} from '../../text/safe.ts';
import {useMarkdown} from '../core/components/markdown.ts';
import {paneRule, paneTitle, titleRule} from '../core/components/pane-title.ts';
import {scrollText} from '../core/components/position.ts';
import {Rows} from '../core/components/rows.tsx';
import {belowMark} from '../core/components/transcript.ts';
import {modelName} from './model-name.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {Rect} from '../core/program.ts';
import {useApp} from '../core/store-context.ts';
import {paint} from '../core/theme/theme.ts';
import {layOutComparison} from './compare-effects.ts';

type Props = {
	readonly server: string;
	readonly comparison: Comparison;
	readonly rect: Rect;
	readonly hasKeys: boolean;
};

/**
 * The answers of several models to one question. Shown instead of the conversation until the user
 * chooses an answer.
 */
export const CompareScreen = ({server, comparison, rect: {width, height}, hasKeys}: Props) => {
	const models = useApp(state => state.models);
	const engine = useMarkdown();
	const zoomed = useApp(state => state.zoomed);
	const showsThinking = useApp(state => conversationOf(state, server).showsThinking);
	const laid = layOutComparison({models}, comparison, showsThinking, {width, height}, engine);
	const left = paneTitle({
		name: 'Assistant',
		server,
		detail: `${comparison.answers.length} models asked the same`,
		focused: hasKeys,
		width: width - 3,
	});
	const title = titleRule({left, focused: hasKeys, width});
	const chosen = comparison.answers[comparison.chosen];
	const notes = [
		belowMark(laid.below, 'comparison'),
		paint(
			'dim',
			`${keyFor('comparison.adopt')} continues with ${label(modelName({models}, chosen?.model ?? ''), 40)}`,
		),
		laid.areBeside || zoomed ? '' : paint('dim', `${keyFor('global.zoom')} makes room`),
	].filter(each => each !== '');
	return (
		<Box flexDirection="column">
			<Rows height={1} lines={[title]} />
			<Rows height={height - 2} lines={laid.lines} />
			<Rows
				height={1}
				lines={[
					paneRule(
						` ${notes.join(paint('dim', ' · '))} `,
						width,
						scrollText(laid.last - laid.below, laid.room, laid.last + laid.room),
					),
				]}
			/>
		</Box>
	);
};
