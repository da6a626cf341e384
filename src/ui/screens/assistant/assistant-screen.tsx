import {useEffect} from 'react';
import {EMPTY_CONVERSATION, isAnswering} from '../../../store/assistant.ts';
import {insert} from '../../../text/editor.ts';
import {editingKeys, historyKeys} from '../../components/editor-keys.ts';
import {editorLines} from '../../components/editor-lines.ts';
import {scrolling} from '../../components/scroll.ts';
import {windowOf} from '../../components/transcript.ts';
import {CursorAt} from '../../frame/cursor.tsx';
import {showKey} from '../../frame/footer.ts';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {keyOf} from '../../keys/live-keys.ts';
import {useApp, useGetState} from '../../store-context.ts';
import {glyph} from '../../theme/glyphs.ts';
import {answersHeight, AssistantView} from './assistant-view.tsx';
import {earlierText, trayLines} from './tray-lines.ts';
import {turnLines} from './turn-lines.ts';

const PROMPT = ` ${glyph.prompt} `;

export const AssistantScreen = ({server, rect, hasKeys}: {readonly server: string; readonly rect: Rect; readonly hasKeys: boolean}) => {
	const get = useGetState();
	const conversation = useApp(state => state.conversations.get(server)) ?? EMPTY_CONVERSATION;
	const part = useApp(state => state.paneFocus.assistant);
	const covered = useApp(state => state.dialogs.length > 0);
	const typing = hasKeys && part === 'assistant';
	const tray = trayLines(conversation, rect.width, showKey(keyOf(get(), 'assistant', 'tray')));
	const editor = editorLines(conversation.draft, {width: rect.width, height: Math.max(1, Math.floor(rect.height * 0.4)), prompt: PROMPT, more: '   ', active: typing});
	const room = answersHeight(rect.height, tray.length, editor.lines.length);
	const {last} = windowOf(conversation.turns.map(turn => turnLines(turn, rect.width)), null, room);
	const change = (next: Parameters<ReturnType<typeof get>['changeConversation']>[1]): void => get().changeConversation(server, next);
	const current = () => get().conversations.get(server) ?? EMPTY_CONVERSATION;
	const answering = isAnswering(conversation.turns.at(-1));
	useEffect(() => void get().findMentioned(server), [get, server, conversation.draft]);

	const scroll = scrolling(() => current().top, last, room - 1, top => change({top}));
	const access = {draft: () => current().draft, set: (draft: typeof conversation.draft) => change({draft})};
	const model = () => get().nextModel(server);
	const openTray = () => get().openDialog({kind: 'tray', server});
	const leave = (): void => {
		if (!get().stopAnswer(server)) get().focusPart('assistant', 'turns');
	};
	useKeys('assistant', {
		...editingKeys(access),
		...historyKeys(access, {entries: () => current().history, at: () => current().historyAt, stash: () => current().stash, set: change}),
		newline: () => change({draft: insert(current().draft, '\n')}),
		scrollUp: scroll.pageUp,
		scrollDown: scroll.pageDown,
		send: () => get().sendQuestion(server),
		model,
		tray: openTray,
		leave,
	}, text => change({draft: insert(current().draft, text)}));
	useKeys('turns', {
		...scroll,
		edit: () => get().focusPart('assistant', 'assistant'),
		editQuestion() {
			const reason = get().editQuestion(server);
			if (reason !== undefined) return reason;
			get().focusPart('assistant', 'assistant');
		},
		retry: () => get().retry(server),
		model,
		tray: openTray,
	});
	const detail = `${conversation.model}${conversation.editing === null ? '' : ' · editing the last question'}`;
	return (
		<>
			{typing && !covered && <CursorAt x={rect.x + editor.cursor.x} y={rect.y + 2 + room + tray.length + editor.cursor.y}/>}
			<AssistantView {...{server, detail, editor, answering, tray}} earlier={earlierText(conversation)} turns={conversation.turns} top={conversation.top}
				focused={hasKeys} width={rect.width} height={rect.height}/>
		</>
	);
};
