import {replOf} from '../transcript.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {onOneLine} from '../../core/components/line-field.ts';
import {replacedBy} from '../../core/store/typed-field.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {replSession} from '../session.ts';
import {route} from '../../core/store/route.ts';

/** Code that was run on a server before, newest first. Enter puts it into the editor. */
export const codeHistory = chooser({kind: 'history'}, ({get}, {server}) => {
	const repl = replOf(get(), server);
	const choices = [...new Set(repl.history.toReversed())].map((code): Choice => ({
		text: onOneLine(code, ' ↵ '),
		choose() {
			replSession(get).changeRepl(server, replacedBy(replOf(get(), server), code));
			route(get).focusPart('repl', 'repl');
		},
	}));
	return {
		title: `Earlier code ${choices.length}`,
		width: 110,
		enterLabel: 'insert',
		cutsRows: true,
		initial: repl.draft.text.includes('\n') ? '' : repl.draft.text,
		empty: choices.length === 0 ? 'No code has been run here yet.' : 'No earlier code matches.',
		choicesFor(typed) {
			// Shows fuzzy matches only if no code contains the typed text.
			const exact = choices.filter(({text}) => text.toLowerCase().includes(typed.toLowerCase()));
			return exact.length > 0 ? exact : fuzzyFilter(typed, choices, ({text}) => text);
		},
	};
});
