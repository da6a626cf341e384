import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {everyKey, isPlaced, placeName} from '../keys/actions.ts';
import {keymap} from '../keys/keymap.ts';
import {keyFor} from '../keys/live-keys.ts';
import {isPane} from '../features.ts';
import {chooser, LEAST_WIDTH} from './chooser.tsx';
import {actionChoice, sentenceCase} from './action-hits.ts';

/**
 * Every key, with the keys of the user's screen first. Typing searches, and Enter has the effect of
 * the key.
 */
export const help = chooser({kind: 'help'}, at => {
	const {screen, readOnly} = at.get();
	const choices = everyKey(at.get()).map(({scope, binding, isHere}) => {
		const choice = actionChoice(at, {scope, binding});
		const {where} = keymap[scope];
		return {
			choice: isPlaced(scope)
				? choice
				: {
						...choice,
						section: sentenceCase(where),
						enterLabel: 'show where it works',
						choose: () => `This key works in: ${where}`,
					},
			isHere,
			place: sentenceCase(placeName(scope)),
			also: binding.also ?? '',
		};
	});
	return {
		width: LEAST_WIDTH,
		enterLabel: 'run',
		title: `Keys ${isPane(screen) ? 'of this pane' : 'of this screen'}${readOnly ? ', read-only' : ''}; then all others`,
		empty: `No key matches. ${keyFor('anywhere.palette')} finds anything.`,
		choicesFor: typed =>
			fuzzyFilter(
				typed,
				choices,
				({choice: {text, note}, place, also}) => `${text} ${note ?? ''} ${place} ${also}`,
			)
				// Search results have no section headers, so actions of other screens name their
				// screen.
				.map(({choice, isHere, place}) =>
					typed === '' || isHere ? choice : {...choice, text: `${choice.text}   ${place}`},
				),
	};
});
