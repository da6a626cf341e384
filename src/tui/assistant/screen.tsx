import {useEffect} from 'react';
import {useMarkdown} from '../core/components/markdown.ts';
import {blockAtRow, windowOf} from '../core/components/transcript.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {useApp, useGetState} from '../core/store-context.ts';
import {useNow} from '../core/use-now.ts';
import {replOf} from '../repl/transcript.ts';
import {isKeyAvailable} from '../core/keys/live-keys.ts';
import {CompareScreen} from './compare-screen.tsx';
import {modelName} from './model-name.ts';
import {layoutAssistant} from './layout.ts';
import {isAnswering, modelIn, chat} from './conversations.ts';
import {isMentioning, suggestionsIn} from './suggest.ts';
import {findRows, rowOf} from './transcript-blocks.ts';
import {carriedText, nextMessageText} from './message-context-lines.ts';
import {useCodeColours} from './use-code-colours.ts';
import {useFolders} from './use-folders.ts';
import {answeringText, AssistantView, workingText} from './view.tsx';
import {conversationOf, isSummary, TASK_PREFIX} from './conversation.ts';
import type {ScreenProps} from '../core/feature.ts';
import {attaching} from './attached.ts';
import {questionContext} from './context.ts';

export const AssistantScreen = (props: ScreenProps) => {
	const comparison = useApp(state => state.conversations.get(props.server)?.comparison) ?? null;
	return comparison === null ? (
		<ConversationScreen {...props} />
	) : (
		<CompareScreen {...props} comparison={comparison} />
	);
};

/** True for text that is sent to a model, not a command. */
const isForModel = (text: string): boolean =>
	text.startsWith(TASK_PREFIX) || (text.trim() !== '' && !text.startsWith('/'));

const ConversationScreen = ({server, rect, hasKeys}: ScreenProps) => {
	const get = useGetState();
	const engine = useMarkdown();
	const conversation = useApp(state => conversationOf(state, server));
	const cells = useApp(state => replOf(state, server).cells);
	const kernel = useApp(state => replOf(state, server).kernel);
	const model = useApp(state => modelName(state, modelIn(state.models, conversation.model)));
	const work = useApp(state => state.works.get(server) ?? null);
	const part = useApp(state => state.paneFocus.assistant);
	const isLocal = useApp(state => state.isLocal);
	const covered = useApp(state => state.dialogs.length > 0);
	const isTyping = hasKeys && part === 'assistant';
	const last = conversation.turns.at(-1);
	const isSilent = isAnswering(last) && last?.firstTextAt === null;
	const now = useNow(isSilent ? 1000 : undefined);
	const suggestions = useApp(state => (isTyping ? suggestionsIn(state, server) : null));
	const {width} = rect;
	const laidOut = (of: typeof conversation) =>
		layoutAssistant(get(), {conversation: of, cells, kernel, suggestions, engine, hasKeys, isTyping}, rect);
	const {transcript, tray, editor, room} = laidOut(conversation);
	const {from} = windowOf(transcript.blocks, conversation.top, room);
	const codes = transcript.codes.filter(({row, code}) => row < from + room && row + code.rows > from);
	useCodeColours(codes, conversation.raw ? undefined : engine);
	useEffect(() => void attaching(get).findMentioned(server), [get, server, conversation.draft]);
	const hasBegun = isTyping && isForModel(conversation.draft.text);
	useEffect(() => {
		if (hasBegun && isKeyAvailable('assistant.send')) void questionContext(get).findContext(server);
	}, [get, server, hasBegun]);
	useEffect(() => void chat(get).nameModels(), [get]);
	useFolders(server, isTyping && isMentioning(conversation));
	const {goTo} = conversation;
	useEffect(() => {
		if (goTo === null) return;
		const {transcript: now, last} = laidOut(conversationOf(get(), server));
		const row = rowOf(now, goTo);
		if (row === null) return;
		const place = blockAtRow(now.blocks, row);
		const found = findRows(now, goTo.text, width);
		const at = found.findIndex(each => each.block === place?.block && each.row === place.row);
		chat(get).changeConversation(server, {
			top: row - 2 >= last ? null : Math.max(0, row - 2),
			found: found[at] === undefined ? null : {...found[at], number: at + 1, count: found.length},
		});
		// Depends on `goTo` alone, to scroll once per request.
	}, [goTo]);

	const notes = [
		model,
		conversation.raw ? 'as it was sent' : '',
		conversation.editing === null
			? ''
			: isSummary(last)
				? 'editing the summary'
				: 'editing the last question',
	];
	return (
		<>
			{isTyping && !covered && (
				<CursorAt x={rect.x + editor.cursor.x} y={rect.y + 2 + room + tray.length + editor.cursor.y} />
			)}
			<AssistantView
				{...{server, isLocal, editor, tray, width}}
				answering={
					work ? workingText(work) : last !== undefined && isAnswering(last) ? answeringText(last, now) : ''
				}
				detail={notes.filter(each => each !== '').join(' · ')}
				right={carriedText(conversation)}
				meter={nextMessageText(conversation)}
				blocks={transcript.blocks}
				codes={codes}
				looked={
					hasKeys && part === 'turns' && goTo !== null ? {words: goTo.text, at: conversation.found} : null
				}
				top={conversation.top}
				focused={hasKeys}
				height={rect.height}
				edge={rect.edge}
			/>
		</>
	);
};
