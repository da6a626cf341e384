import {sentBytes} from '../attachments.ts';
import {conversationOf} from '../conversation.ts';
import {messageContextOf} from '../conversations.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {bytesText} from '../../../text/size.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {questionContext} from '../context.ts';
import {attaching} from '../attached.ts';

/** Everything that the next message includes; Enter removes the selected entry. */
export const tray = chooser({kind: 'tray'}, ({get}, {server}) => {
	const conversation = conversationOf(get(), server);
	const {context} = conversation;
	const left =
		context?.ruling === 'refused'
			? [
					{
						text: context.packed.mention,
						note: 'from the server, not sent',
						enterLabel: 'ask about it again',
						choose() {
							questionContext(get).ruleContext(server, context.packed, 'ask');
							return `${context.packed.mention} is shown before the next question`;
						},
					},
				]
			: [];
	const choices = messageContextOf(conversation).map(({mention, packed, problem}): Choice => ({
		text: mention,
		note: problem !== null ? 'cannot be sent' : packed === null ? '' : bytesText(sentBytes(packed)),
		choose() {
			attaching(get).removeAttachment(server, mention);
			return `${mention} is not sent`;
		},
	}));
	return {
		title: 'Attached to the next question',
		enterLabel: 'remove',
		empty: 'Nothing attached to the next question: @ attaches a file or a cell.',
		choicesFor: typed => fuzzyFilter(typed, [...choices, ...left], ({text}) => text),
	};
});
