// Widgets in outputs. An output contains only the id of a widget; this module looks up its state.
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

/** Widget with its state and the states of all widgets inside it. Null if the widget was closed. */
export type ShownWidget = {readonly id: string; readonly models: ReadonlyMap<string, WidgetModel>} | null;

/**
 * Key of a widget's state in the data of an output. A registered symbol, because the live link's
 * bundle has its own copy of this module. JSON.stringify omits it.
 */
const WIDGET = Symbol.for('svc-tui.widget');

/** Id of the widget that an output shows. Null if the output shows no widget. */
export const widgetIn = (data: unknown): string | null => {
	const id = fieldsOf(fieldsOf(data)[WIDGET_VIEW])['model_id'];
	return typeof id === 'string' ? id : null;
};

/** Copy of an output's data that also contains the state of its widget. */
export const withWidget = (data: unknown, widget: ShownWidget): Readonly<Record<string, unknown>> =>
	Object.defineProperty({...fieldsOf(data)}, WIDGET, {value: widget});

/**
 * State of the widget in an output's data. Undefined if there is no widget or its state is unknown.
 */
export const widgetOf = (data: object): ShownWidget | undefined =>
	Reflect.get(data, WIDGET) as ShownWidget | undefined;

/** Id of the widget that a value refers to. Null if the value is not a reference. */
export const referenceIn = (value: unknown): string | null =>
	typeof value === 'string' && value.startsWith('IPY_MODEL_') ? value.slice('IPY_MODEL_'.length) : null;

/** Ids of all widgets that a widget's state refers to. */
export const referencesIn = (state: WidgetModel['state']): readonly string[] =>
	Object.values(state)
		.flat()
		.map(referenceIn)
		.filter(id => id !== null);

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Widgets stored in a notebook's metadata, by id. */
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

/**
 * Returns a function that adds the widget states stored in a notebook's metadata to its outputs.
 */
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
