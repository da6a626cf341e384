import {trayOf, EMPTY_CONVERSATION} from '../../store/assistant.ts';
import {fuzzyFilter} from '../../text/fuzzy.ts';
import {bytesText} from '../components/age.ts';
import type {Rect} from '../frame/layout.ts';
import {useGetState} from '../store-context.ts';
import {Chooser, type Choice} from './chooser.tsx';

/** All that the next message carries; Enter takes one out. */
export const Tray = ({server, body}: {readonly server: string; readonly body: Rect}) => {
	const get = useGetState();
	const choices = (): readonly Choice[] => trayOf(get().conversations.get(server) ?? EMPTY_CONVERSATION).map(({mention, packed, problem}) => ({
		text: mention,
		note: problem !== null ? 'cannot be sent' : packed === null ? '' : bytesText(Buffer.byteLength(packed.text)),
		choose() {
			get().removeAttachment(server, mention);
			return `${mention} is not sent`;
		},
	}));
	return (
		<Chooser title="Goes with the next question: Enter takes one out" body={body} empty="The next question carries nothing: @ puts a file or a cell into it."
			choicesFor={typed => fuzzyFilter(typed, choices(), ({text}) => text)}/>
	);
};
