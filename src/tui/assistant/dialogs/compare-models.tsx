import {modelIn} from '../conversations.ts';
import {attaching} from '../attached.ts';
import {label} from '../../../text/safe.ts';
import {fit} from '../../../text/width/width.ts';
import {positionText} from '../../core/components/position.ts';
import {movements, windowAround} from '../../core/components/scroll.ts';
import type {Rect, State, DialogProps} from '../../core/program.ts';
import {actionsOf, type KeyScope} from '../../core/keys/action.ts';
import {list} from '../../core/keys/binding-sets.ts';
import {useApp} from '../../core/store-context.ts';
import {topDialog, route} from '../../core/store/route.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {DialogBox, lineWidth} from '../../core/dialogs/dialog-box.tsx';
import {modelsOf} from '../model-name.ts';
import {conversationOf} from '../conversation.ts';

const WIDTH = 56;

/** Initially marked models: those of the latest comparison, else the current one. */
export const markedAtFirst = (state: State, server: string): readonly string[] => {
	const {model, comparedWith} = conversationOf(state, server);
	return comparedWith.length > 0 ? comparedWith : [modelIn(state.models, model)];
};

const heightIn = (body: Rect): number => Math.max(3, body.height - 6);

const openIn = (state: State) => {
	const dialog = topDialog(state, 'compare-models') ?? {kind: 'compare-models' as const, server: ''};
	const {server, at = 0, marked = markedAtFirst(state, server)} = dialog;
	return {dialog, server, at, marked, all: modelsOf(state)};
};

export const modelKeys: KeyScope = {
	where: 'models to ask together',
	isDialog: true,
	actions: {
		...actionsOf(list, ({get, rect}) => {
			const {dialog, at, all} = openIn(get());
			return movements(
				() => at,
				all.length,
				heightIn(rect),
				to => route(get).changeDialog({...dialog, at: to}),
			);
		}),
		mark: {
			keys: ['space'],
			label: 'mark',
			hint: true,
			run({get}) {
				const {dialog, at, marked, all} = openIn(get());
				const id = all[at]?.id ?? '';
				const others = marked.filter(each => each !== id);
				route(get).changeDialog({
					...dialog,
					marked: others.length < marked.length ? others : [...marked, id],
				});
			},
		},
		accept: {
			keys: ['enter'],
			label: 'ask the marked models',
			hint: true,
			now: ({get}) => (openIn(get()).marked.length < 2 ? null : undefined),
			run({get}) {
				const {dialog, server, marked, all} = openIn(get());
				// The dialog is closed first, because the command may open another one.
				route(get).closeDialog();
				const reason = attaching(get).compareModels(
					server,
					all.map(({id}) => id).filter(id => marked.includes(id)),
				);
				if (reason === undefined) return;
				route(get).openDialog(dialog);
				return reason;
			},
		},
		close: {keys: ['esc'], label: 'close', run: ({get}) => route(get).closeDialog()},
	},
};

/** Choice of the models that answer one question. */
export const CompareModels = ({server, at = 0, body, ...props}: DialogProps<'compare-models'>) => {
	// The names of the models may arrive while the dialog is open.
	const state = useApp(now => now);
	const all = modelsOf(state);
	const marked = new Set(props.marked ?? markedAtFirst(state, server));
	const height = heightIn(body);
	const width = lineWidth(body, WIDTH);
	const from = windowAround(at, height, all.length);
	const rows = all.slice(from, from + height).map(({id, name}, offset) => {
		const text = fit(
			` ${marked.has(id) ? glyph.chosen : glyph.notChosen} ${fit(label(name, 60), width - 20)} ${name === id ? '' : label(id, 20)}`,
			width,
		);
		return from + offset === at ? paint('selected', text) : text;
	});
	return (
		<DialogBox
			title="Ask several models"
			body={body}
			width={WIDTH}
			position={positionText(at, all.length)}
			lines={[...rows, '', paint('dim', ' Mark two or more to ask them the same question.')]}
		/>
	);
};
