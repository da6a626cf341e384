import {useEffect} from 'react';
import {EMPTY_CONVERSATION, isAnswering, modelIn} from '../../../store/assistant.ts';
import {EMPTY_REPL} from '../../../store/cells.ts';
import {isMentioning, suggestionsIn} from '../../../store/assistant-suggest.ts';
import {withChips} from '../../../text/folds.ts';
import {editorLines} from '../../components/editor-lines.ts';
import {useMarkdown} from '../../components/markdown.ts';
import {scrolling} from '../../components/scroll.ts';
import {placeIn, windowOf} from '../../components/transcript.ts';
import {modelName} from '../../dialogs/model-picker.tsx';
import {CursorAt} from '../../frame/cursor.tsx';
import {showKey} from '../../frame/footer.ts';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {keyOf} from '../../keys/live-keys.ts';
import {useApp, useGetState} from '../../store-context.ts';
import {glyph} from '../../theme/glyphs.ts';
import {paint} from '../../theme/theme.ts';
import {answersHeight, AssistantView} from './assistant-view.tsx';
import {CompareScreen} from './compare-screen.tsx';
import {suggestLines} from './suggest-lines.ts';
import {findRows, rowOf, transcriptOf} from './transcript-blocks.ts';
import {earlierText, trayLines} from './tray-lines.ts';
import {useAnswerKeys} from './use-answer-keys.ts';
import {useCodeColours} from './use-code-colours.ts';
import {useFolders} from './use-folders.ts';
import {useQuestionKeys} from './use-question-keys.ts';

const PROMPT = ` ${glyph.prompt} `;

type Props = {readonly server: string; readonly rect: Rect; readonly hasKeys: boolean};

export const AssistantScreen = (props: Props) => {
	const comparison = useApp(state => state.conversations.get(props.server)?.comparison) ?? null;
	return comparison === null ? <ConversationScreen {...props}/> : <CompareScreen {...props} comparison={comparison}/>;
};

const ConversationScreen = ({server, rect, hasKeys}: Props) => {
	const get = useGetState();
	const engine = useMarkdown();
	const conversation = useApp(state => state.conversations.get(server)) ?? EMPTY_CONVERSATION;
	const cells = useApp(state => state.repls.get(server)?.cells) ?? EMPTY_REPL.cells;
	const part = useApp(state => state.paneFocus.assistant);
	const covered = useApp(state => state.dialogs.length > 0);
	const typing = hasKeys && part === 'assistant';
	const answering = isAnswering(conversation.turns.at(-1));
	const {width} = rect;
	const key = (action: 'copyBlock' | 'runBlock' | 'writeBlock', words: string): string => `${paint('accent', showKey(keyOf(get(), 'turns', action)))} ${paint('dim', words)}`;
	// While something is typed the keys of the box are letters: Esc comes first.
	const keys = hasKeys ? `${typing ? paint('dim', 'esc, then ') : ''}${key('copyBlock', 'copy')}  ${key('runBlock', 'run')}  ${key('writeBlock', 'write')}` : '';
	const lay = (of: typeof conversation) => transcriptOf(of, {width, engine, raw: of.raw, cells, keys});
	const transcript = lay(conversation);
	const suggested = suggestLines(useApp(state => (typing ? suggestionsIn(state, server) : null)), width);
	const tray = [...suggested, ...trayLines(conversation, width, showKey(keyOf(get(), 'assistant', 'tray')))];
	const editor = editorLines({...conversation.draft, ...withChips(conversation.draft, conversation.folds)}, {width, height: Math.max(1, Math.floor(rect.height * 0.4)), prompt: PROMPT, more: '   ', active: typing});
	const room = answersHeight(rect.height, tray.length, editor.lines.length);
	const {from} = windowOf(transcript.blocks, conversation.top, room);
	const codes = transcript.codes.filter(({row, code}) => row < from + room && row + code.rows > from);
	useCodeColours(codes, conversation.raw ? undefined : engine);
	/** Greatest first row; asked when a key comes, since an answer grows between two frames. */
	const last = (): number => windowOf(lay(current()).blocks, null, room).last;
	const change = (next: Parameters<ReturnType<typeof get>['changeConversation']>[1]): void => get().changeConversation(server, next);
	const current = () => get().conversations.get(server) ?? EMPTY_CONVERSATION;
	useEffect(() => void get().findMentioned(server), [get, server, conversation.draft]);
	useFolders(server, typing && isMentioning(conversation));
	const {goTo} = conversation;
	useEffect(() => {
		if (goTo === null) return;
		const laid = lay(current());
		const row = rowOf(laid, goTo);
		if (row === null) return;
		const place = placeIn(laid.blocks, row);
		const found = findRows(laid, goTo.text, width);
		const at = found.findIndex(each => each.block === place?.block && each.row === place.row);
		change({top: row - 2 >= last() ? null : Math.max(0, row - 2), found: found[at] === undefined ? null : {...found[at], number: at + 1, count: found.length}});
		// The place is looked for once, when it was asked for.
	}, [goTo]);

	const scroll = () => scrolling(() => current().top, last(), room - 1, top => change({top}));
	const answers = useAnswerKeys(server, () => lay(current()), {width, room});
	const question = useQuestionKeys(server);
	useKeys('assistant', {
		...question.field,
		scrollUp: () => scroll().pageUp(),
		scrollDown: () => scroll().pageDown(),
		model: answers.model,
		compare: answers.compare,
		tray: answers.tray,
		conversations: answers.conversations,
	}, question.type);
	useKeys('suggest', question.suggest);
	useKeys('turns', {
		up: () => scroll().up(), down: () => scroll().down(), pageUp: () => scroll().pageUp(), pageDown: () => scroll().pageDown(), first: () => scroll().first(), last: () => scroll().last(),
		...answers,
	});
	const notes = [modelName(get(), modelIn(get().models, conversation.model)), conversation.raw ? 'as it was sent' : '', conversation.editing === null ? '' : 'editing the last question'];
	return (
		<>
			{typing && !covered && <CursorAt x={rect.x + editor.cursor.x} y={rect.y + 2 + room + tray.length + editor.cursor.y}/>}
			<AssistantView {...{server, editor, answering, tray, width}} detail={notes.filter(each => each !== '').join(' · ')} earlier={earlierText(conversation)}
				blocks={transcript.blocks} codes={codes} looked={hasKeys && part === 'turns' && goTo !== null ? {words: goTo.text, at: conversation.found} : null} top={conversation.top} focused={hasKeys} height={rect.height}/>
		</>
	);
};
