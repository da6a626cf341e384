// State of the widgets of a kernel, from its comm messages.
import {cellOutput, type CellOutput} from '../contract/cells.ts';
import {fieldsOf, isRecord} from '../text/record.ts';
import {referencesIn, type ShownWidget, type WidgetModel} from '../text/output/widget.ts';
import type {KernelMessage} from './messages.ts';
import {collectOutput, createOutputBuffer} from './output-buffer.ts';

/** Limits of what is stored: number of widgets, and UTF-16 units per message. */
const MOST_WIDGETS = 5000;
const LARGEST_MESSAGE = 4 << 20;
/** Bytes per stream that an Output widget stores. */
const OUTPUT_LIMIT_BYTES = 256 * 1024;

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Initial model from the content of a `comm_open`. Null if it opens no widget. */
export const openedModel = (content: KernelMessage['content']): WidgetModel | null => {
	if (content['target_name'] !== 'jupyter.widget') return null;
	const data = fieldsOf(content['data']);
	// Up to version 6 of ipywidgets the data are the state itself.
	const state = '_model_name' in data ? data : fieldsOf(data['state']);
	return {name: textIn(state['_model_name']), module: textIn(state['_model_module']), state};
};

/** Model after a `comm_msg`: the same object if the message changes nothing. */
export const updatedModel = (model: WidgetModel, content: KernelMessage['content']): WidgetModel => {
	const {method, state} = fieldsOf(content['data']);
	return (method === 'update' || method === 'echo_update') && isRecord(state)
		? {...model, state: {...model.state, ...state}}
		: model;
};

/** `isTaken`: the message is an output that the widget shows in place of its cell. */
export type WidgetChange = {readonly id: string; readonly isTaken: boolean};

export type Widgets = {
	/**
	 * Applies a message. Null if it changes no widget. `size`: length of the message in UTF-16
	 * units.
	 */
	see(message: KernelMessage, size: number): WidgetChange | null;
	/** A widget with all widgets in it. Null if it was closed, undefined if it is unknown. */
	shown(id: string): ShownWidget | undefined;
	/** True if the widget `inner` is inside the widget `id`, or is the same widget. */
	holds(id: string, inner: string): boolean;
	/** Grows with each change. */
	readonly version: () => number;
};

const CAPTURED = /^(?:stream|display_data|execute_result|error|clear_output|update_display_data)$/;

export const createWidgets = (): Widgets => {
	const models = new Map<string, WidgetModel>();
	const closed = new Set<string>();
	/** Outputs of Output widgets. */
	const outputs = new Map<string, ReturnType<typeof createOutputBuffer>>();
	/**
	 * Output widgets that capture the outputs of a request, the innermost last. The key is the
	 * request.
	 */
	const takers = new Map<string, readonly string[]>();
	let version = 0;

	const changed = (id: string, isTaken = false): WidgetChange => {
		version++;
		return {id, isTaken};
	};
	const remember = (id: string, model: WidgetModel): void => {
		models.set(id, model);
		for (const oldest of models.keys()) {
			if (models.size <= MOST_WIDGETS) break;
			models.delete(oldest);
			outputs.delete(oldest);
		}
	};
	const bufferOf = (id: string): ReturnType<typeof createOutputBuffer> => {
		const known = outputs.get(id) ?? createOutputBuffer(OUTPUT_LIMIT_BYTES, '...');
		outputs.set(id, known);
		return known;
	};
	/** Follows which Output widget takes the outputs of which request. */
	const applyCapture = (id: string, request: unknown): void => {
		for (const [key, ids] of takers) {
			const others = ids.filter(each => each !== id);
			if (others.length === 0) takers.delete(key);
			else takers.set(key, others);
		}
		if (typeof request === 'string' && request !== '')
			takers.set(request, [...(takers.get(request) ?? []), id]);
	};
	const applyOutputs = (id: string, list: unknown): void => {
		if (!Array.isArray(list)) return;
		const buffer = bufferOf(id);
		buffer.clear(false);
		for (const output of list) collectOutput(buffer, cellOutput.parse(output));
	};
	/** All widgets in a widget, itself included. */
	const reach = (id: string): ReadonlySet<string> => {
		const found = new Set([id]);
		for (const each of found) {
			const model = models.get(each);
			if (model !== undefined) for (const inner of referencesIn(model.state)) found.add(inner);
		}
		return found;
	};

	return {
		see(message, size) {
			const {msg_type: type, content, parent_header: parent} = message;
			if (CAPTURED.test(type)) {
				const id = takers.get(parent.msg_id)?.at(-1);
				if (id === undefined) return null;
				const output: CellOutput = cellOutput.parse({...content, output_type: type});
				collectOutput(bufferOf(id), output);
				return changed(id, true);
			}
			const id = textIn(content['comm_id']);
			if (!type.startsWith('comm_') || size > LARGEST_MESSAGE) return null;
			if (type === 'comm_open') {
				const model = openedModel(content);
				if (model === null) return null;
				closed.delete(id);
				remember(id, model);
				applyOutputs(id, model.state['outputs']);
				return changed(id);
			}
			const model = models.get(id);
			if (model === undefined) return null;
			if (type === 'comm_close') {
				models.delete(id);
				outputs.delete(id);
				applyCapture(id, '');
				closed.add(id);
				return changed(id);
			}
			const next = updatedModel(model, content);
			if (next === model) return null;
			models.set(id, next);
			const {state} = fieldsOf(content['data']);
			if ('msg_id' in fieldsOf(state)) applyCapture(id, fieldsOf(state)['msg_id']);
			if ('outputs' in fieldsOf(state)) applyOutputs(id, fieldsOf(state)['outputs']);
			return changed(id);
		},
		shown(id) {
			if (!models.has(id)) return closed.has(id) ? null : undefined;
			const own = new Map<string, WidgetModel>();
			for (const each of reach(id)) {
				const model = models.get(each);
				const collected = outputs.get(each);
				if (model !== undefined)
					own.set(each, collected ? {...model, state: {...model.state, outputs: collected.look()}} : model);
			}
			return {id, models: own};
		},
		holds: (id, inner) => id === inner || reach(id).has(inner),
		version: () => version,
	};
};
