import {Box} from 'ink';
import SelectInput from 'ink-select-input';
import {KEY, InkInput} from '../keys/ink-input.tsx';
import type {KeyContext} from '../feature.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {fit} from '../../../text/width/width.ts';
import {Row} from './rows.tsx';

/** Entry of a short list. `lines`: its rows. */
export type ListItem<V extends string> = {readonly value: V; readonly lines: readonly string[]};

const GUTTER = '   ';

const Indicator = ({isSelected = false}: {readonly isSelected?: boolean}) => (
	<Row text={isSelected ? ` ${paint('accent', glyph.cursor)} ` : GUTTER} />
);

const Item = ({label}: {readonly label: string}) => (
	<Box flexDirection="column">
		{label.split('\n').map((line, index) => (
			// The indicator has one row. In further rows, a gutter covers the screen below.
			<Box key={index} marginLeft={index === 0 ? 0 : -GUTTER.length}>
				<Row text={index === 0 ? line : GUTTER + line} />
			</Box>
		))}
	</Box>
);

/**
 * A short list by ink-select-input, in a dialog of this inner width. The key table drives it
 * through `selectKeys`.
 */
export const SelectList = <V extends string>({
	items,
	at,
	width,
	onHighlight,
	onSelect,
}: {
	readonly items: readonly ListItem<V>[];
	/** Initially selected value. */
	readonly at: V;
	readonly width: number;
	readonly onHighlight?: (value: V) => void;
	readonly onSelect: (value: V) => void;
}) => (
	<InkInput>
		<SelectInput
			items={items.map(({value, lines}) => ({
				value,
				label: lines.map(line => `${fit(line, width - 2)} `).join('\n'),
			}))}
			initialIndex={items.findIndex(({value}) => value === at)}
			indicatorComponent={Indicator}
			itemComponent={Item}
			onHighlight={({value}) => onHighlight?.(value)}
			onSelect={({value}) => onSelect(value)}
		/>
	</InkInput>
);

export const selectKeys = ({press}: Pick<KeyContext, 'press'>) => ({
	up: () => press(KEY.up),
	down: () => press(KEY.down),
	accept: () => press(KEY.enter),
});
