import {replOf} from '../slice.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import type {Rect} from '../../core/frame/layout.ts';
import {replacedBy} from '../../core/store/typed-field.ts';
import {useApp, useGetState} from '../../core/store-context.ts';
import {Chooser, type Choice} from '../../core/dialogs/chooser.tsx';

const onOneRow = (code: string): string => code.replaceAll(/\s*\n\s*/g, ' ↵ ');

/** Code that was run on a server before, newest first; Enter puts it into the editor. */
export const CodeHistory = ({server, body}: {readonly server: string; readonly body: Rect}) => {
	const get = useGetState();
	const repl = useApp(state => replOf(state, server));
	const codes = [...new Set(repl.history.toReversed())];
	const choices = codes.map((code): Choice => ({
		text: onOneRow(code),
		choose() {
			get().changeRepl(server, replacedBy(replOf(get(), server), code));
			get().focusPart('repl', 'repl');
		},
	}));
	// What holds the words as they were typed comes before what only holds their letters.
	const choicesFor = (typed: string): readonly Choice[] => {
		const exact = choices.filter(({text}) => text.toLowerCase().includes(typed.toLowerCase()));
		return exact.length > 0 ? exact : fuzzyFilter(typed, choices, ({text}) => text);
	};
	return (
		<Chooser
			title={`Earlier code ${codes.length}`}
			body={body}
			width={110}
			empty={codes.length === 0 ? 'No code has been run here yet.' : 'No earlier code matches.'}
			choicesFor={choicesFor}
			initial={repl.draft.text.includes('\n') ? '' : repl.draft.text}
		/>
	);
};
