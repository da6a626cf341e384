import {conversationOf} from '../conversation.ts';
import {trayOf} from '../slice.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {bytesText} from '../../core/components/age.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';

/** All that the next message carries; Enter takes one out. */
export const tray = chooser({kind: 'tray'}, ({get}, {server}) => {
	const conversation = conversationOf(get(), server);
	const {context} = conversation;
	const left =
		context?.ruling === 'refused'
			? [
					{
						text: context.packed.mention,
						note: 'of the server, not sent',
						choose() {
							get().ruleContext(server, context.packed, 'ask');
							return `${context.packed.mention} is shown before the next question`;
						},
					},
				]
			: [];
	const choices = trayOf(conversation).map(({mention, packed, problem}): Choice => ({
		text: mention,
		note:
			problem !== null ? 'cannot be sent' : packed === null ? '' : bytesText(Buffer.byteLength(packed.text)),
		choose() {
			get().removeAttachment(server, mention);
			return `${mention} is not sent`;
		},
	}));
	return {
		title: `Attached to the next question: ${keyFor('chooser.accept')} takes one out`,
		empty: 'Nothing attached to the next question: @ attaches a file or a cell.',
		choicesFor: typed => fuzzyFilter(typed, [...choices, ...left], ({text}) => text),
	};
});
