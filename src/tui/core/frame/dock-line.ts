// The dock: the row of hidden companions, with the key, the name and the content of each.
import {cellWidth, cut} from '../../../text/width/width.ts';
import {screenSpec} from '../features.ts';
import type {Pane, State} from '../program.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {badgeOf} from './header.ts';
import type {WorkspaceLayout} from './workspace-layout.ts';

type Dock = NonNullable<WorkspaceLayout['dock']>;

/** Least width in cells at which a name is followed by a description of the pane's content. */
const LEAST_WORDS = 32;

const nameOf = (state: State, pane: Pane, room: number): string => {
	const spec = screenSpec(pane);
	const held = spec.inDock?.(state, state.current ?? '') ?? '';
	const badge = badgeOf(state, spec);
	const words = held === '' || room < LEAST_WORDS ? '' : paint('dim', ` · ${held}`);
	const mark = badge === ' ' ? '' : ` ${badge}`;
	return cut(`${paint('accent', spec.jump)} ${paint('dim', spec.title)}${mark}${words}`, room);
};

/** Names of the docked panes, each with its first cell in the row. */
const names = (
	state: State,
	{panes, width}: Pick<Dock, 'panes' | 'width'>,
): readonly {readonly pane: Pane; readonly from: number; readonly name: string}[] => {
	const room = Math.floor(width / panes.length) - 4;
	let from = 2;
	return panes.map(pane => {
		const placed = {pane, from, name: nameOf(state, pane, room)};
		from += cellWidth(placed.name) + 4;
		return placed;
	});
};

export const dockLine = (state: State, dock: Pick<Dock, 'panes' | 'width'>): string => {
	const named = names(state, dock)
		.map(({name}) => `${name} `)
		.join(`${paint('rule', glyph.rule.repeat(2))} `);
	const rest = Math.max(0, dock.width - 2 - cellWidth(named));
	return `${paint('rule', glyph.rule)} ${named}${paint('rule', glyph.rule.repeat(rest))}`;
};

/** The pane whose name is at a column of the screen. */
export const dockedAt = (state: State, dock: Dock, x: number): Pane | undefined =>
	names(state, dock).findLast(({from}) => x - dock.x >= from - 2)?.pane;
