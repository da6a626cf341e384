import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {failureOf} from '../store/failed-call.ts';
import {clockText} from '../components/age.ts';
import {everyKey, isPlaced, placeName} from '../keys/actions.ts';
import {keymap} from '../keys/keymap.ts';
import {keyFor} from '../keys/live-keys.ts';
import {isPane} from '../features.ts';
import {chooser, LEAST_WIDTH, type Choice} from './chooser.tsx';
import {actionChoice, sentenceCase} from './action-hits.ts';
import {clipboard} from '../store/clipboard.ts';
import {route} from '../store/route.ts';

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

/** Messages so far, newest first. Enter goes to the place of a message or copies the message; for
 * a failed call it shows request and response. */
export const messages = chooser({kind: 'messages'}, ({get}) => {
	const choices = get()
		.notices.toReversed()
		.map(({text, at, kind, leads}): Choice => {
			const failure = failureOf({kind, text}, get().requests);
			return {
				text,
				note: clockText(at),
				enterLabel: leads ? 'go there' : failure === undefined ? 'copy' : 'show the response',
				choose: () =>
					leads
						? leads()
						: failure === undefined
							? clipboard(get).copy(text, 'The message')
							: route(get).openDialog({kind: 'evidence', failure}),
			};
		});
	return {
		title: `Messages ${choices.length}`,
		width: 110,
		empty: 'No messages yet.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text}) => text),
	};
});
