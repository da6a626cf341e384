import {useRef, useState} from 'react';
import {EMPTY_CONVERSATION, modelIn} from '../../store/assistant.ts';
import {label} from '../../text/safe.ts';
import {fit} from '../../text/width.ts';
import {movements, windowAround} from '../components/scroll.ts';
import type {Rect} from '../frame/layout.ts';
import {useKeys} from '../keys/keys.tsx';
import {useGetState} from '../store-context.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {DialogBox} from './dialog-box.tsx';
import {modelsOf} from './model-picker.tsx';

const WIDTH = 56;

/** The models that answer the same question: those of the last time are marked, else the present one. */
export const CompareModels = ({server, body}: {readonly server: string; readonly body: Rect}) => {
	const get = useGetState();
	const models = modelsOf(get());
	const {model, comparedWith} = get().conversations.get(server) ?? EMPTY_CONVERSATION;
	const state = useRef({at: 0, marked: new Set(comparedWith.length > 0 ? comparedWith : [modelIn(get().models, model)])});
	const [, draw] = useState(0);
	const height = Math.max(3, body.height - 6);
	const change = (next: Partial<typeof state.current>): void => {
		state.current = {...state.current, ...next};
		draw(count => count + 1);
	};
	useKeys('models', {
		...movements(() => state.current.at, models.length, height, at => change({at})),
		mark() {
			const {at, marked} = state.current;
			const id = models[at]?.id ?? '';
			const next = new Set(marked);
			if (!next.delete(id)) next.add(id);
			change({marked: next});
		},
		accept() {
			const marked = models.filter(({id}) => state.current.marked.has(id)).map(({id}) => id);
			const reason = get().compareModels(server, marked);
			if (reason !== undefined) return reason;
			get().closeDialog();
		},
		close: () => get().closeDialog(),
	});
	const {at, marked} = state.current;
	const from = windowAround(at, height, models.length);
	const rows = models.slice(from, from + height).map(({id, name}, offset) => {
		const text = fit(` ${marked.has(id) ? glyph.chosen : glyph.notChosen} ${fit(label(name, 60), WIDTH - 24)} ${name === id ? '' : label(id, 20)}`, WIDTH - 4);
		return from + offset === at ? paint('selected', text) : text;
	});
	return <DialogBox title="Ask several models the same" body={body} width={WIDTH} lines={rows}/>;
};
