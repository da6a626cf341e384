import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {clockText} from '../components/age.ts';
import type {Rect} from '../frame/layout.ts';
import {useApp, useGetState} from '../store-context.ts';
import {Chooser, type Choice} from './chooser.tsx';

/** Messages shown so far, newest first; Enter copies one. */
export const Messages = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const notices = useApp(state => state.notices);
	const choices = notices
		.toReversed()
		.map(({text, at}): Choice => ({
			text,
			note: clockText(at),
			choose: () => get().copy(text, 'The message'),
		}));
	return (
		<Chooser
			title={`Messages ${notices.length}`}
			body={body}
			width={110}
			empty="No messages yet."
			choicesFor={typed => fuzzyFilter(typed, choices, ({text}) => text)}
		/>
	);
};
