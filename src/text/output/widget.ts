// Widgets in outputs: an output names one by its id, and its state is found here.
import {fieldsOf, isRecord} from '../record.ts';

/** Media type of an output that shows a widget. */
export const WIDGET_VIEW = 'application/vnd.jupyter.widget-view+json';
/** Key in a notebook's `metadata.widgets`. */
const WIDGET_STATE = 'application/vnd.jupyter.widget-state+json';

/** Model of a widget. `module`: the library that draws it in a browser. */
export type WidgetModel = {
	readonly name: string;
	readonly module: string;
	readonly state: Readonly<Record<string, unknown>>;
};

/** A widget with its state and that of each widget in it. Null: it was closed. */
export type ShownWidget = {readonly id: string; readonly models: ReadonlyMap<string, WidgetModel>} | null;

/**
 * Key of a widget's state in the data of an output. It is a registered symbol: the live link is
 * bundled apart from the screens. JSON leaves it out.
 */
const WIDGET = Symbol.for('svc-tui.widget');

/** Id of the widget that an output shows. Null if it shows none. */
export const widgetIn = (data: unknown): string | null => {
	const id = fieldsOf(fieldsOf(data)[WIDGET_VIEW])['model_id'];
	return typeof id === 'string' ? id : null;
};

/** The data of an output with the state of its widget. */
export const withWidget = (data: unknown, widget: ShownWidget): Readonly<Record<string, unknown>> =>
	Object.defineProperty({...fieldsOf(data)}, WIDGET, {value: widget});

/** State of the widget in the data of an output. Undefined if it has none or it is unknown. */
export const widgetOf = (data: object): ShownWidget | undefined =>
	Reflect.get(data, WIDGET) as ShownWidget | undefined;

/** Id in a reference from one widget to another. Null for any other value. */
export const referenceIn = (value: unknown): string | null =>
	typeof value === 'string' && value.startsWith('IPY_MODEL_') ? value.slice('IPY_MODEL_'.length) : null;

/** Ids of all widgets that a state refers to. */
export const referencesIn = (state: WidgetModel['state']): readonly string[] =>
	Object.values(state)
		.flat()
		.map(referenceIn)
		.filter(id => id !== null);

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Widgets that a notebook's metadata store, by id. */
const savedModels = (metadata: unknown): ReadonlyMap<string, WidgetModel> => {
	const saved = fieldsOf(fieldsOf(fieldsOf(metadata)['widgets'])[WIDGET_STATE]);
	return new Map(
		Object.entries(fieldsOf(saved['state']))
			.filter(([, model]) => isRecord(model))
			.map(([id, model]) => {
				const {model_name: name, model_module: module, state} = fieldsOf(model);
				return [id, {name: textIn(name), module: textIn(module), state: fieldsOf(state)}];
			}),
	);
};

/** Reader of outputs of a notebook: adds the state that its metadata store to their widgets. */
export const savedWidgets = (
	metadata: unknown,
): (<Output extends Readonly<Record<string, unknown>>>(output: Output) => Output) => {
	const models = savedModels(metadata);
	return output => {
		const id = models.size === 0 ? null : widgetIn(output['data']);
		return id === null || !models.has(id)
			? output
			: {...output, data: withWidget(output['data'], {id, models})};
	};
};
