import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {failureOf} from '../store/failed-call.ts';
import {clockText} from '../components/age.ts';
import {showKey} from '../frame/footer.ts';
import {
	everyAction,
	everyKey,
	goToPlace,
	isPlaced,
	placeName,
	searchText,
	type ActionItem,
} from '../keys/actions.ts';
import {keymap} from '../keys/keymap.ts';
import {keyFor} from '../keys/live-keys.ts';
import type {KeyContext, LineCommand} from '../feature.ts';
import {isPane} from '../features.ts';
import {chooser, LEAST_WIDTH, type Choice} from './chooser.tsx';
import {chooseCommand, isCommandAvailable, roomCommands} from './line-commands.ts';
import {clipboard} from '../store/clipboard.ts';
import {route} from '../store/route.ts';

const sentenceCase = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Choosing an action has the effect of its key, if that works. */
const choiceOf = ({get, act}: Pick<KeyContext, 'get' | 'act'>, {scope, binding}: ActionItem): Choice => ({
	// The user names their own commands.
	text: scope === 'own' ? binding.label : sentenceCase(binding.label),
	note: binding.keys.map(showKey).join('  '),
	section: placeName(scope),
	choose() {
		const reason = goToPlace(get, scope);
		if (reason !== undefined) return reason;
		act(scope, binding.action);
	},
});

const idOf = ({scope, binding}: ActionItem): string => `${scope}.${binding.action}`;

/** A command of the `:` line, with its key if it has one; its name is searched first. */
const ofCommand = (
	at: Pick<KeyContext, 'get' | 'act'>,
	command: LineCommand,
	actions: readonly ActionItem[],
): Choice => ({
	text: command.does,
	note: [
		...(actions.find(item => idOf(item) === command.key)?.binding.keys ?? []).map(showKey),
		`:${command.name}`,
	].join('  '),
	section: 'Commands',
	choose: () => chooseCommand(at, command),
});

/** Every action of the program with its key, and the commands without one. */
export const palette = chooser({kind: 'palette'}, at => ({
	title: 'All actions',
	width: LEAST_WIDTH,
	enterLabel: 'run',
	empty: 'No action matches.',
	choicesFor(typed) {
		const commands = roomCommands().filter(isCommandAvailable(at.get()));
		const all = everyAction(at.get());
		const actions = all
			.filter(item => !commands.some(({key}) => key === idOf(item)))
			.map(item => {
				const choice = choiceOf(at, item);
				const isElsewhere = keymap[item.scope].screen !== undefined && typed !== '';
				return {
					choice: isElsewhere ? {...choice, text: `${choice.text}   ${placeName(item.scope)}`} : choice,
					words: `${item.binding.label} ${searchText(item)}`,
				};
			});
		const rows = commands.map(command => ({
			choice: ofCommand(at, command, all),
			words: `${command.name} ${command.does}`,
		}));
		return fuzzyFilter(typed, [...actions, ...rows], ({words}) => words).map(({choice}) => choice);
	},
}));

/**
 * Every key, with the keys of the user's screen first. Typing searches, and Enter has the effect of
 * the key.
 */
export const help = chooser({kind: 'help'}, at => {
	const {screen, readOnly} = at.get();
	const choices = everyKey(at.get()).map(({scope, binding, isHere}) => {
		const choice = choiceOf(at, {scope, binding});
		const {where} = keymap[scope];
		return {
			choice: isPlaced(scope)
				? choice
				: {
						...choice,
						section: sentenceCase(where),
						enterLabel: 'say where it works',
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
		empty: `No key matches. ${keyFor('anywhere.palette')} lists all actions.`,
		choicesFor: typed =>
			fuzzyFilter(
				typed,
				choices,
				({choice: {text, note}, place, also}) => `${text} ${note ?? ''} ${place} ${also}`,
			)
				// A search has no sections: actions of other screens name theirs.
				.map(({choice, isHere, place}) =>
					typed === '' || isHere ? choice : {...choice, text: `${choice.text}   ${place}`},
				),
	};
});

/** Messages so far, newest first. Enter goes to its place or copies it; for a
 * failed call it shows request and response. */
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
