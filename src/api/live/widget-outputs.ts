// Widgets in the outputs of a cell, with their state.
import type {CellOutput} from '../../contract/cells.ts';
import type {KernelMessage} from '../../kernel/messages.ts';
import type {OutputSink} from '../../kernel/output-buffer.ts';
import type {Widgets} from '../../kernel/widgets.ts';
import {WIDGET_VIEW, widgetIn, withWidget} from '../../text/output/widget.ts';

/** Display id of a widget in the sink. With it, the sink can redraw the widget in place. */
const keyOf = (id: string): string => `widget ${id}`;

export type WidgetOutputs = {
	/** The sink for outputs, which also receives the state of widgets. Undefined without a sink. */
	readonly taker: OutputSink | undefined;
	see(message: KernelMessage): void;
	/** Updates the sink after a change. False if the cell does not show the widget. */
	changed(id: string): boolean;
	/**
	 * The outputs with the state of their widgets. While that state is unchanged, returns the same
	 * objects.
	 */
	shown(outputs: CellOutput[]): CellOutput[];
};

export const createWidgetOutputs = (widgets: Widgets, sink: OutputSink | undefined): WidgetOutputs => {
	/** Widgets that the cell displays. */
	const roots = new Set<string>();
	const known = new WeakMap<CellOutput, {readonly version: number; readonly output: CellOutput}>();
	const stated = (output: CellOutput): CellOutput => {
		const id = widgetIn(output['data']);
		const widget = id === null ? undefined : widgets.shown(id);
		return widget === undefined ? output : {...output, data: withWidget(output['data'], widget)};
	};
	return {
		taker: sink && {
			...sink,
			add(output, display) {
				const id = widgetIn(output['data']);
				if (id === null) sink.add(output, display);
				else sink.add(stated(output), keyOf(id));
			},
		},
		see({msg_type: type, content}) {
			if (type === 'clear_output') roots.clear();
			const id = widgetIn(content['data']);
			if (id !== null) roots.add(id);
		},
		changed(inner) {
			const held = [...roots].filter(id => widgets.holds(id, inner));
			for (const id of held) {
				const {data} = stated({output_type: 'display_data', data: {[WIDGET_VIEW]: {model_id: id}}});
				sink?.update(keyOf(id), {data, metadata: {}});
			}
			return held.length > 0;
		},
		shown(outputs) {
			if (roots.size === 0) return outputs;
			const version = widgets.version();
			return outputs.map(output => {
				const seen = known.get(output);
				if (seen?.version === version) return seen.output;
				const shown = stated(output);
				if (shown !== output) known.set(output, {version, output: shown});
				return shown;
			});
		},
	};
};
