import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import type {Hit, KeyContext, LineCommand} from '../feature.ts';
import {showKey} from '../frame/footer.ts';
import {everyAction, goToPlace, placeName, searchText, type ActionItem} from '../keys/actions.ts';
import {keymap} from '../keys/keymap.ts';
import type {State} from '../program.ts';
import {route} from '../store/route.ts';
import type {Choice} from './chooser.tsx';
import {chooseCommand, isCommandAvailable, roomCommands} from './line-commands.ts';

export const sentenceCase = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Choice that runs an action on the screen where its key works. */
export const actionChoice = (
	{get, act}: Pick<KeyContext, 'get' | 'act'>,
	{scope, binding}: ActionItem,
): Choice => ({
	// The label of a user's own command is shown exactly as the user wrote it.
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

/** Choice that runs a `:` command, with the keys of the same action if there are any. */
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

/** Opens the command line with these words. */
export const commandPrefix = (get: () => State, words: string): Choice => ({
	text: `:${words}`,
	enterLabel: 'command line',
	choose: () => route(get).openDialog({kind: 'command-line', line: words}),
});

/** Every action of the program with its key, and the commands without one, best first. */
export const actionHits = (at: Pick<KeyContext, 'get' | 'act'>, typed: string): readonly Hit[] => {
	const commands = roomCommands().filter(isCommandAvailable(at.get()));
	const all = everyAction(at.get());
	const actions = all
		.filter(item => !commands.some(({key}) => key === idOf(item)))
		.map(item => {
			const choice = actionChoice(at, item);
			const isElsewhere = keymap[item.scope].screen !== undefined && typed !== '';
			return {
				choice: isElsewhere ? {...choice, text: `${choice.text}   ${placeName(item.scope)}`} : choice,
				name: item.binding.label,
				words: `${item.binding.label} ${searchText(item)}`,
			};
		});
	const rows = commands.map(command => ({
		choice: ofCommand(at, command, all),
		name: command.name,
		words: `${command.name} ${command.does}`,
	}));
	return fuzzyFilter(typed, [...actions, ...rows], ({words}) => words);
};
