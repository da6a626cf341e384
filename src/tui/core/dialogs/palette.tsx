import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {showKey} from '../frame/footer.ts';
import type {Rect} from '../frame/layout.ts';
import {everyAction, goToPlace, placeName, type ActionItem} from '../keys/actions.ts';
import {keymap} from '../keys/keymap.ts';
import {useAct} from '../keys/keys.tsx';
import {useGetState} from '../store-context.ts';
import {Chooser, type Choice} from './chooser.tsx';

export const sentenceCase = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Choosing an action does what its key does, where that works. */
export const useActionChoice = (): ((item: ActionItem) => Choice) => {
	const get = useGetState();
	const act = useAct();
	return ({scope, binding}) => ({
		text: sentenceCase(binding.label),
		note: binding.keys.map(showKey).join('  '),
		section: placeName(scope),
		choose() {
			const reason = goToPlace(get, scope);
			if (reason !== undefined) return reason;
			act(scope, binding.action);
		},
	});
};

/** Every action of the program with its key. */
export const Palette = ({body}: {readonly body: Rect}) => {
	const get = useGetState();
	const choiceOf = useActionChoice();
	const choicesFor = (typed: string): readonly Choice[] =>
		fuzzyFilter(typed, everyAction(get()), ({scope, binding}) => `${binding.label} ${placeName(scope)}`).map(
			item =>
				keymap[item.scope].screen !== undefined && typed !== ''
					? {...choiceOf(item), text: `${choiceOf(item).text}   ${placeName(item.scope)}`}
					: choiceOf(item),
		);
	return <Chooser title="All actions" body={body} choicesFor={choicesFor} empty="No action matches." />;
};
