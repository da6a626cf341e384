import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {cellWidth} from '../../../text/width/width.ts';
import {everyKey, isPlaced, placeName} from '../keys/actions.ts';
import {keymap} from '../keys/keymap.ts';
import {keyFor} from '../keys/live-keys.ts';
import type {KeyContext} from '../feature.ts';
import {showKey} from '../frame/footer.ts';
import {route} from '../store/route.ts';
import {paint} from '../theme/theme.ts';
import {chooser} from './chooser.tsx';
import {CARD_WIDTH} from './dialog-box.tsx';
import {helpRows} from './help-keys.ts';
import {actionChoice, sentenceCase} from './action-hits.ts';

/** All keys, those of the user's screen first. Keys with equal names and labels appear once. */
const allKeys = (at: Pick<KeyContext, 'get' | 'act'>) => {
	const listed = new Set<string>();
	return everyKey(at.get())
		.filter(({binding: {keys, label}}) => {
			const id = `${keys.join(' ')} ${label.toLowerCase()}`;
			return !listed.has(id) && listed.add(id);
		})
		.map(({scope, binding, isHere}) => {
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
};

/**
 * Help with the most important keys. Typing searches all keys, and Enter runs the selected key's
 * action. Tab lists all keys, those of the user's screen first.
 */
export const help = chooser({kind: 'help'}, (at, {isWhole = false}) => {
	const {readOnly} = at.get();
	const choices = allKeys(at);
	const tab = keyFor('chooser.complete');
	return {
		width: CARD_WIDTH,
		enterLabel: 'run',
		title: `${isWhole ? 'All keys' : 'Keys'}${readOnly ? ', read-only' : ''}`,
		empty: `No key matches. ${keyFor('anywhere.palette')} finds anything.`,
		choicesFor(typed) {
			const hits = fuzzyFilter(
				typed,
				choices,
				({choice: {text, note}, place, also}) => `${text} ${note ?? ''} ${place} ${also}`,
			);
			const words = typed.toLowerCase();
			const isFirst = ({choice, isHere}: (typeof hits)[number]): boolean =>
				isHere && choice.text.toLowerCase().includes(words);
			// Search results have no section headers, so keys of other screens name their screen.
			return [...hits.filter(isFirst), ...hits.filter(hit => !isFirst(hit))].map(({choice, isHere, place}) =>
				typed === '' || isHere ? choice : {...choice, text: `${choice.text}   ${place}`},
			);
		},
		...(!isWhole && {
			cover: {
				rows(width) {
					const whole = `Type to search all ${choices.length} keys, ${showKey('enter')} runs one`;
					const lists = `   ${paint('accent', tab)} lists all`;
					const search = [whole, 'Type to search'].find(each => cellWidth(each + lists) <= width) ?? '';
					return [...helpRows(at.get(), width), search + lists];
				},
				tabLabel: 'list all',
				showList: () => route(at.get).changeDialog({kind: 'help', isWhole: true}),
			},
		}),
	};
});
