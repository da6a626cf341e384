import {trayOf} from '../slice.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {bytesText} from '../../core/components/age.ts';
import type {Rect} from '../../core/frame/layout.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {useGetState} from '../../core/store-context.ts';
import {Chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {conversationOf} from '../conversation.ts';

/** All that the next message carries; Enter takes one out. */
export const Tray = ({server, body}: {readonly server: string; readonly body: Rect}) => {
	const get = useGetState();
	const choices = (): readonly Choice[] =>
		trayOf(conversationOf(get(), server)).map(({mention, packed, problem}) => ({
			text: mention,
			note:
				problem !== null
					? 'cannot be sent'
					: packed === null
						? ''
						: bytesText(Buffer.byteLength(packed.text)),
			choose() {
				get().removeAttachment(server, mention);
				return `${mention} is not sent`;
			},
		}));
	return (
		<Chooser
			title={`Attached to the next question: ${keyFor('chooser.accept')} takes one out`}
			body={body}
			empty="Nothing attached to the next question: @ attaches a file or a cell."
			choicesFor={typed => fuzzyFilter(typed, choices(), ({text}) => text)}
		/>
	);
};
