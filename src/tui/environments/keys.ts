import {listOf} from '../core/components/list.ts';
import {clamp} from '../core/components/scroll.ts';
import type {KeyContext} from '../core/feature.ts';
import {actionOn, refused, type KeyScopes} from '../core/keys/action.ts';
import type {Tab} from '../core/keys/binding-sets.ts';
import {createServer} from '../core/ports.ts';
import type {Rect, State} from '../core/program.ts';
import {clipboard} from '../core/store/clipboard.ts';
import {environmentList, shownEnvironments, topOf} from './environments.ts';
import {serversByEnvironment} from './ports.ts';
import {descriptionLines, environmentWidths, LONGEST} from './view.tsx';

export const environmentsTab: Tab = {id: 'environments', title: 'Environments', short: 'Env', jump: '3'};

export const list = listOf({
	name: 'environments',
	rowsOf: shownEnvironments,
	idOf: each => each.environment_id,
	page: ({height}) => height - 5,
	remote: state => state.environments,
});

/** Largest first row to which the description of the selected environment scrolls. */
const lastTop = (state: State, {width, height}: Rect): number => {
	const environment = list.selected(state);
	const users = serversByEnvironment(state.app).get(environment?.environment_id ?? '') ?? [];
	const {description} = environmentWidths(width);
	const contents = state.contents.get(environment?.environment_id ?? '');
	const {length} = descriptionLines(environment, users, contents, description, LONGEST);
	return Math.max(0, length - (height - 1));
};

const scroll =
	(direction: 1 | -1) =>
	({get, rect}: KeyContext): string | void => {
		const environment = list.selected(get());
		if (environment === undefined) return;
		const last = lastTop(get(), rect);
		if (last === 0) return 'The whole description is in view';
		const by = direction * Math.max(1, rect.height - 4);
		const id = environment.environment_id;
		environmentList(get).scrollDescription(id, clamp(topOf(get(), id) + by, 0, last));
	};

export const environmentKeys: KeyScopes = {
	environments: {
		where: 'environments',
		name: 'Environments',
		screen: 'environments',
		actions: {
			...list.moves,
			create: actionOn(
				({get}) => list.selected(get()) ?? refused('There is no environment to create a server with'),
			)({
				keys: ['enter', 'c'],
				label: 'rent with it',
				hint: true,
				writes: true,
				run: ({environment_id: environment}, {get}) => createServer(get, {environment}),
			}),
			copy: actionOn(({get}) => list.selected(get()) ?? refused('There is no environment here'))({
				keys: ['y'],
				label: 'Copy the id',
				run: ({environment_id: id}, {get}) => clipboard(get).copy(id, 'the id'),
			}),
			scrollDown: {keys: ['J', 'shift+down'], label: 'Scroll the description down', run: scroll(1)},
			scrollUp: {keys: ['K', 'shift+up'], label: 'Scroll the description up', run: scroll(-1)},
			...list.filtering,
		},
	},
};
