import {modelIn, chat} from '../conversations.ts';
import {attaching} from '../attached.ts';
import {modelsOf} from '../model-name.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {conversationOf} from '../conversation.ts';

/** Chooses the model for the next question, or for asking the last question again. */
export const modelPicker = chooser({kind: 'model'}, ({get}, {server, again}) => {
	const current = modelIn(get().models, conversationOf(get(), server).model);
	const choices = modelsOf(get()).map(({id, name}): Choice => ({
		text: `${id === current ? glyph.chosen : glyph.notChosen} ${name}`,
		note: name === id ? '' : id,
		choose() {
			chat(get).setModel(server, id);
			if (again) return attaching(get).retry(server, id);
		},
	}));
	return {
		title: again ? 'Ask again with' : 'Model for the next questions',
		width: 60,
		enterLabel: again ? 'ask again' : 'use',
		empty: 'No model matches.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text, note}) => `${text} ${note ?? ''}`),
	};
});
