import {isPane} from '../rooms.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {showKey} from '../frame/footer.ts';
import type {Rect} from '../frame/layout.ts';
import {everyKey, isPlaced, placeName} from '../keys/actions.ts';
import {keymap} from '../keys/keymap.ts';
import {keyFor} from '../keys/live-keys.ts';
import {useApp, useGetState} from '../store-context.ts';
import {Chooser, type Choice} from './chooser.tsx';
import {sentenceCase, useActionChoice} from './palette.tsx';

/** Every key, those that work where the user was first: typing searches, Enter does what the key does. */
export const Help = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const choiceOf = useActionChoice();
	const screen = useApp(state => state.screen);
	const readOnly = useApp(state => state.readOnly);
	const choices = everyKey(get()).map(({scope, binding, isHere}) => {
		const choice: Choice = isPlaced(scope)
			? choiceOf({scope, binding})
			: {
					text: sentenceCase(binding.label),
					note: binding.keys.map(showKey).join('  '),
					section: sentenceCase(keymap[scope].where),
					choose: () => `That key works here: ${keymap[scope].where}`,
				};
		return {choice, isHere, place: sentenceCase(placeName(scope))};
	});
	const choicesFor = (typed: string): readonly Choice[] =>
		fuzzyFilter(typed, choices, ({choice: {text, note}, place}) => `${text} ${note ?? ''} ${place}`)
			// While something is looked for the sections are away: what is elsewhere says where.
			.map(({choice, isHere, place}) =>
				typed === '' || isHere ? choice : {...choice, text: `${choice.text}   ${place}`},
			);
	return (
		<Chooser
			title={`Keys ${isPane(screen) ? 'of this pane' : 'of this screen'}${readOnly ? ', read-only' : ''}; then all others`}
			body={body}
			empty={`No key matches. ${keyFor('anywhere.palette')} lists all actions.`}
			choicesFor={choicesFor}
		/>
	);
};
