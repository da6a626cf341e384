import {listOf} from '../core/components/list.ts';
import {clamp} from '../core/components/scroll.ts';
import type {Rect, State} from '../core/program.ts';
import type {KeyContext, KeyHandlers, ScopeHandlers, ScreenSpec} from '../core/feature.ts';
import {shownEnvironments, topOf, environmentList} from './environments.ts';
import {serversByEnvironment} from './ports.ts';
import {descriptionLines, environmentWidths, LONGEST} from './view.tsx';
import {createServer} from '../core/ports.ts';

export const list = listOf({
	name: 'environments',
	rowsOf: shownEnvironments,
	idOf: each => each.environment_id,
	page: ({height}) => height - 4,
});

/** The greatest first row to which the description under the cursor can be scrolled. */
const lastTop = (state: State, {width, height}: Rect): number => {
	const environment = list.selected(state);
	const users = serversByEnvironment(state.app).get(environment?.environment_id ?? '') ?? [];
	const {description} = environmentWidths(width, state.environments.value?.items ?? []);
	const {length} = descriptionLines(environment, users, description, LONGEST);
	return Math.max(0, length - (height - 1));
};

const scroll =
	({get, rect}: KeyContext, direction: 1 | -1) =>
	(): string | void => {
		const environment = list.selected(get());
		if (environment === undefined) return;
		const last = lastTop(get(), rect);
		if (last === 0) return 'The whole description is in view';
		const by = direction * Math.max(1, rect.height - 4);
		const id = environment.environment_id;
		environmentList(get).scrollDescription(id, clamp(topOf(get(), id) + by, 0, last));
	};

const environments: KeyHandlers<'environments'> = at => ({
	...list.keys(at),
	scrollDown: scroll(at, 1),
	scrollUp: scroll(at, -1),
	create() {
		const id = list.selected(at.get())?.environment_id;
		if (id === undefined) return 'There is no environment to create with';
		createServer(at.get, {environment: id});
	},
});

/** What a key can do with what is under the cursor. */
export const environmentLabel: NonNullable<ScreenSpec['labelNow']> = (state, {scope, action}) => {
	if (scope !== 'environments') return undefined;
	if (action === 'filter') return list.filterLabel(state, state.environments);
	return action === 'create' && list.selected(state) === undefined ? null : undefined;
};

export const environmentHandlers: ScopeHandlers = {environments, filter: list.filter};
